package weft.cuda;

import weft.cuda.driver.Driver;

/** Some of the device's memory, allocated when its size is known; owns it. */
final class Memory implements Owned {
  private final Driver driver;
  private long address;
  private long bytes;

  Memory(Driver driver) {
    this.driver = driver;
  }

  /** Of this size from now on; what it held is lost. */
  Memory allocate(long size) {
    close();
    address = driver.allocate(size);
    bytes = size;
    return this;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (address != 0) driver.free(address);
    address = 0;
  }
}
