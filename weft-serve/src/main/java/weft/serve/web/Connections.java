package weft.serve.web;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections there are, from when they are accepted. Each has a thread of its own, by which a
 * visit finds the one that it came over. One that brings no whole head of a request for too long is
 * closed, however slowly it goes on sending. Safe for all threads.
 */
public final class Connections implements ServerConnectionSelector {
  private final ServerConnectionSelector http;
  private final Duration silence;
  private final Map<SocketAddress, Connection> accepted = new ConcurrentHashMap<>();
  private final Map<Thread, Connection> handled = new ConcurrentHashMap<>();

  /** {@code silence} is how long a connection may rest, or take to bring the head of a request. */
  public Connections(Http1Config config, Duration silence) {
    this.http = Http1ConnectionSelector.builder().config(config).build();
    this.silence = silence;
  }

  /** The options of sockets by which this learns of them. */
  public SocketOptions options() {
    return new AcceptingOptions(this::accept);
  }

  private void accept(SocketChannel channel) {
    try {
      accepted.put(channel.getRemoteAddress(), new Connection(channel));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The connection of the calling thread. */
  public Connection ofThisThread() {
    var connection = handled.get(Thread.currentThread());
    if (connection == null) {
      throw new IllegalStateException(Thread.currentThread().getName() + " has no connection");
    }
    return connection;
  }

  /** How many there are. */
  public int count() {
    return accepted.size();
  }

  /** Closes those that were silent or waited for too long, and forgets those that are closed. */
  public void closeLate() {
    accepted
        .values()
        .removeIf(
            connection -> {
              if (connection.isSilentFor(silence) || connection.isLate()) connection.close();
              return connection.isClosed();
            });
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    var address = context.remotePeer().address();
    var connection = accepted.get(address);
    if (connection == null) throw new IllegalStateException("a connection that nobody accepted");
    var reader = context.dataReader();
    int early = reader.available();
    // Reading no bytes would wait for some.
    connection.readFrom(context.serverSocket(), early == 0 ? new byte[0] : reader.readBytes(early));
    var reading = new ReadingContext(context, connection);
    connection.speak(reading.dataReader(), reading.dataWriter());
    var inner = http.connection(reading);
    return new Handled(inner, address, connection);
  }

  /** A connection that its thread is known by while it is handled. */
  private final class Handled implements ServerConnection {
    private final ServerConnection inner;
    private final SocketAddress address;
    private final Connection connection;

    Handled(ServerConnection inner, SocketAddress address, Connection connection) {
      this.inner = inner;
      this.address = address;
      this.connection = connection;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      handled.put(Thread.currentThread(), connection);
      try {
        inner.handle(limit);
      } finally {
        handled.remove(Thread.currentThread());
        accepted.remove(address, connection);
      }
    }

    @Override
    public Duration idleTime() {
      return inner.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
      inner.close(interrupt);
    }
  }
}
