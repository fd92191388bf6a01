package weft.serve.web;

import io.helidon.common.socket.SocketOptions;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The usual options of a socket, through which it is known that one was accepted: a client that
 * never sends a byte would come to nobody's notice else.
 */
final class AcceptingOptions implements SocketOptions {
  /** What the system holds for a client that does not read: many tokens, and little memory. */
  private static final int WRITTEN_AHEAD = 128 << 10;

  private final SocketOptions usual = SocketOptions.create();
  private final Consumer<SocketChannel> listener;

  AcceptingOptions(Consumer<SocketChannel> listener) {
    this.listener = listener;
  }

  @Override
  public void configureSocket(SocketChannel socket) {
    usual.configureSocket(socket);
    try {
      socket.setOption(StandardSocketOptions.SO_SNDBUF, WRITTEN_AHEAD);
    } catch (IOException e) {
      // Then the system's own size serves.
    }
    listener.accept(socket);
  }

  @Override
  public Map<SocketOption<?>, Object> socketOptions() {
    return usual.socketOptions();
  }

  @Override
  public Duration connectTimeout() {
    return usual.connectTimeout();
  }

  @Override
  public Duration readTimeout() {
    return usual.readTimeout();
  }

  @Override
  public Optional<Integer> socketReceiveBufferSize() {
    return usual.socketReceiveBufferSize();
  }

  @Override
  public Optional<Integer> socketSendBufferSize() {
    return usual.socketSendBufferSize();
  }

  @Override
  public boolean socketReuseAddress() {
    return usual.socketReuseAddress();
  }

  @Override
  public boolean socketKeepAlive() {
    return usual.socketKeepAlive();
  }

  @Override
  public boolean tcpNoDelay() {
    return usual.tcpNoDelay();
  }
}
