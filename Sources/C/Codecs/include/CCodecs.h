#ifndef CCODECS_H
#define CCODECS_H

#include "CodecStatus.h"
#include "CodecPixels.h"
#include "CodecLending.h"
#include "CodecPlanes.h"
#include "CodecJPEG.h"
#include "CodecPNG.h"
#include "CodecWebP.h"
#include "CodecGIF.h"
#include "CodecBoxes.h"
#include "CodecTIFF.h"
#include "CodecProfile.h"
#include "CodecQuiet.h"
#include "CodecFilters.h"
#include "CodecBlend.h"
#include "CodecSVG.h"
#include "CodecText.h"
#include "CodecZlib.h"

#endif
