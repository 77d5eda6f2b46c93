// In place of the product's: queues of Dispatch are among the stand-ins.
