/// The rows that Streams and OpenCombine both have.
let sharedRows: [Row] =
  sequenceRows + subjectRows + flatteningRows + zippingRows + operatorRows + subscribingRows
  + schedulingRows + deepRows + mainActorRows
