// The product's lock, as it is: the explorer replaces only its atomic, and the system's sleeping and waking.
