# specrt_instrument(target): see instrument/
