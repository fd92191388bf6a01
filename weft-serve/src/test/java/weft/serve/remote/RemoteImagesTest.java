package weft.serve.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.serve.ask.Images;
import weft.serve.ask.ProblemException;

/** Only what is at public addresses is fetched, whatever names say, and only so much of it. */
@Timeout(60)
class RemoteImagesTest {
  private static final Duration TIME = Duration.ofSeconds(30);

  /** Answers by its path; "drip" never ends. */
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
  private ServerSocket socket;

  @BeforeEach
  void listen() throws IOException {
    socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  @AfterEach
  void leave() throws IOException {
    socket.close();
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (var client = socket.accept()) {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n"))
          head.append((char) client.getInputStream().read());
        heard.add(head.toString());
        var path = head.toString().split(" ")[1];
        var out = client.getOutputStream();
        out.write(answers.get(path).getBytes(StandardCharsets.ISO_8859_1));
        while (path.equals("/drip")) {
          out.write('x');
          out.flush();
          Thread.sleep(10);
        }
      } catch (IOException | InterruptedException e) {
        // The next one.
      }
    }
  }

  private RemoteImages local(Duration time) {
    return new RemoteImages(
        host -> new InetAddress[] {InetAddress.getLoopbackAddress()}, address -> true, time);
  }

  private String fetched(String path) {
    return new String(
        fetch(local(TIME), "http://pictures.example:%d" + path), StandardCharsets.UTF_8);
  }

  private byte[] fetch(RemoteImages images, String url) {
    return images.fetch("image", URI.create(url.formatted(socket.getLocalPort())));
  }

  @Test
  void bytesComeByLengthByChunksOrToTheEnd() {
    answers.put("/length?a=b", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nimage and more");
    answers.put(
        "/chunks",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nima\r\n2\r\nge\r\n0\r\n\r\n");
    answers.put("/end", "HTTP/1.0 200 OK\r\n\r\nimage");
    for (var path : List.of("/length?a=b", "/chunks", "/end")) {
      assertThat(fetched(path)).isEqualTo("image");
    }
    assertThat(heard.getFirst())
        .startsWith("GET /length?a=b HTTP/1.1\r\n")
        .contains("Host: pictures.example:" + socket.getLocalPort() + "\r\n");
  }

  @Test
  void redirectsAreFollowedAFewTimes() {
    answers.put("/1", "HTTP/1.1 302 Found\r\nLocation: /2\r\n\r\n");
    answers.put("/2", "HTTP/1.1 308 There\r\nlocation: 3\r\n\r\n");
    answers.put("/3", "HTTP/1.1 200 OK\r\n\r\nimage");
    answers.put("/round", "HTTP/1.1 301 Moved\r\nLocation: /round\r\n\r\n");
    assertThat(fetched("/1")).isEqualTo("image");
    assertThatThrownBy(() -> fetched("/round"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("behind at most 3 redirects");
    assertThat(heard).hasSize(3 + 4);
  }

  /** A name that is public at first, and then is not, as a rebinding server has it. */
  @Test
  void everyHopIsResolvedOnceAndLookedAt() {
    answers.put("/1", "HTTP/1.1 302 Found\r\nLocation: http://inside.example/secret\r\n\r\n");
    var asked = new ArrayList<String>();
    var images =
        new RemoteImages(
            host -> {
              asked.add(host);
              return new InetAddress[] {
                host.equals("inside.example")
                    ? InetAddress.ofLiteral("169.254.169.254")
                    : InetAddress.getLoopbackAddress()
              };
            },
            InetAddress::isLoopbackAddress,
            TIME);
    assertThatThrownBy(() -> fetch(images, "http://pictures.example:%d/1"))
        .hasMessage(
            "'image' must be the URL of an image at a public address, got one that could not be fetched");
    assertThat(asked).containsExactly("pictures.example", "inside.example");
  }

  @Test
  void aHostWithAnyOtherAddressIsNotAsked() {
    var images =
        new RemoteImages(
            host ->
                new InetAddress[] {
                  InetAddress.getLoopbackAddress(), InetAddress.ofLiteral("10.0.0.1")
                },
            InetAddress::isLoopbackAddress,
            TIME);
    assertThatThrownBy(() -> fetch(images, "http://pictures.example:%d/1"))
        .isInstanceOf(ProblemException.class);
    assertThat(heard).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:%d/",
        "http://localhost:%d/",
        "http://[::1]:%d/",
        "http://[::ffff:127.0.0.1]:%d/",
        "http://2130706433:%d/",
        "http://0:%d/",
        "http://user@127.0.0.1:%d/",
        "https://127.0.0.1:%d/",
        "http:///etc/passwd"
      })
  void thisMachineIsNeverAsked(String url) {
    var images = (RemoteImages) RemoteImages.standard();
    assertThatThrownBy(() -> fetch(images, url))
        .isInstanceOf(ProblemException.class)
        .hasMessage(
            "'image' must be the URL of an image at a public address, got one that could not be fetched");
    assertThat(heard).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.1.2.3",
        "169.254.169.254",
        "172.31.255.255",
        "192.0.0.8",
        "192.168.1.1",
        "198.19.0.1",
        "203.0.113.9",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "2001:db8::1",
        "2002:a00:1::1",
        "2001:0:a00:1::1"
      })
  void specialAddressesAreNotPublic(String address) {
    assertThat(PublicAddresses.contain(InetAddress.ofLiteral(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00::1"})
  void othersAre(String address) {
    assertThat(PublicAddresses.contain(InetAddress.ofLiteral(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 404 Not Found\r\n\r\nimage",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nimage",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nimage",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nimage",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nimage\r\n",
        "HTTP/1.1 302 Found\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n",
        ""
      })
  void whatIsNoAnswerIsNotFetched(String answer) {
    answers.put("/", answer);
    assertThatThrownBy(() -> fetched("/"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("could not be fetched");
  }

  @Test
  void sizesAndTimesHaveAnEnd() {
    answers.put(
        "/", "HTTP/1.1 200 OK\r\nContent-Length: " + (Images.LARGEST_IMAGE + 1) + "\r\n\r\n");
    answers.put("/head", "HTTP/1.1 200 OK\r\n" + "a: b\r\n".repeat(HttpAnswer.LONGEST_HEAD / 5));
    answers.put("/drip", "HTTP/1.1 200 OK\r\n\r\n");
    assertThatThrownBy(() -> fetched("/")).hasMessageContaining("of at most 20971520 bytes");
    assertThatThrownBy(() -> fetched("/head")).hasMessageContaining("could not be fetched");
    var hasty = local(Duration.ofMillis(200));
    assertThatThrownBy(() -> fetch(hasty, "http://a.example:%d/drip"))
        .hasMessageContaining("could not be fetched");
  }
}
