package weft.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import weft.chat.ChatOptions;
import weft.chat.Conversation;
import weft.chat.Message;
import weft.chat.Tool;
import weft.generate.Engine;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Sequence;
import weft.generate.Speculation;
import weft.generate.Stops;

/** Null is refused where it is given, not where it is used. */
@SuppressWarnings({"NullAway", "DataFlowIssue"})
class NullsTest {
  @TestFactory
  Stream<DynamicTest> nullIsRefused() {
    var options = LoadOptions.standard();
    var request = Request.of(1);
    var chat = ChatOptions.standard();
    return Map.<String, ThrowingCallable>ofEntries(
            Map.entry("load", () -> LanguageModel.load(null)),
            Map.entry("load options", () -> LanguageModel.builtIn(null)),
            Map.entry("backend", () -> options.withBackend(null)),
            Map.entry("isa", () -> options.withIsa(null)),
            Map.entry("profile", () -> options.withProfile(null)),
            Map.entry("cache", () -> options.withProgramCache(null)),
            Map.entry("loading", () -> options.withLoading(null)),
            Map.entry("capacity", () -> options.withCapacity(null)),
            Map.entry("listeners", () -> options.withListeners(null, progress -> {})),
            Map.entry("prompt", () -> Request.of((int[]) null)),
            Map.entry("sampling", () -> request.withSampling(null)),
            Map.entry("stops", () -> request.withStops(null)),
            Map.entry("ends", () -> request.withEnds(null)),
            Map.entry("speculation", () -> request.withSpeculation(null)),
            Map.entry("drafter", () -> Speculation.of(null, 1)),
            Map.entry("mask", () -> request.withMask(null)),
            Map.entry("text", () -> request.withText(null)),
            Map.entry("listener", () -> request.withListener(null)),
            Map.entry("priority", () -> request.withPriority(null)),
            Map.entry("isolation", () -> request.withIsolation(null)),
            Map.entry("stop tokens", () -> Stops.NONE.withTokens(null)),
            Map.entry("stop strings", () -> Stops.NONE.withStrings(null)),
            Map.entry("penalties", () -> Sampling.GREEDY.withPenalties(null)),
            Map.entry("engine", () -> Engine.start(null)),
            Map.entry("sequence", () -> Sequence.open(null)),
            Map.entry("conversation", () -> new Conversation(null)),
            Map.entry("message", () -> Message.user(null)),
            Map.entry("tool", () -> Tool.of("x", null, Map.of())),
            Map.entry("chat sampling", () -> chat.withSampling(null)),
            Map.entry("chat stops", () -> chat.withStops(null)),
            Map.entry("chat tools", () -> chat.withTools(null)),
            Map.entry("chat request", () -> chat.withRequest(null)),
            Map.entry("chat variable", () -> chat.withVariable(null, 1)),
            Map.entry("special text", () -> chat.withSpecialText(null)))
        .entrySet()
        .stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () ->
                        assertThatThrownBy(entry.getValue())
                            .isInstanceOf(NullPointerException.class)));
  }
}
