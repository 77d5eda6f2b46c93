// All sources of this module are the product's.
