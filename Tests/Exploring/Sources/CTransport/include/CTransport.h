#ifndef CTRANSPORT_H
#define CTRANSPORT_H

// In place of the product's, whose functions are among the stand-ins of StreamImages.

#endif
