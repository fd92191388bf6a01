package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page's modules on their own, in the browser that runs them. */
@ExtendWith(WithBrowser.class)
class ModulesPageTest {
  private static ScriptedServer server;
  private static Browser browser;

  @BeforeAll
  static void open(Browser shared) {
    browser = shared;
    server = new ScriptedServer();
    browser.open(server.address());
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void eventsAreWholeHoweverTheirBytesAreCut() {
    var found =
        browser.await(
            """
            const { events } = await import('/page/sse.js');
            const bytes = new TextEncoder().encode(
                ': hello\\r\\n\\r\\ndata: {"a":"ä€😀"}\\r\\n\\r\\ndata: one\\ndata: two\\n\\nevent: x\\rdata:three\\r\\rdata: lost');
            for (const size of [1, 2, 3, 7, 1000]) {
              const body = new ReadableStream({ start(controller) {
                for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
                controller.close();
              } });
              const data = [];
              for await (const event of events(body)) data.push(event);
              const expected = JSON.stringify(['{"a":"ä€😀"}', 'one\\ntwo', 'three']);
              if (JSON.stringify(data) !== expected) return `in pieces of ${size}: ${JSON.stringify(data)}`;
            }
            return 'whole';
            """);
    assertThat(found).isEqualTo("whole");
  }

  @Test
  void aTreeShowsTheChosenBranchAndRemembersTheOthers() {
    var found =
        browser.await(
            """
            const tree = await import('/page/tree.js');
            const talk = tree.freshConversation();
            const q1 = tree.add(talk, null, { role: 'user', text: 'q1' });
            const a1 = tree.add(talk, q1.id, { role: 'assistant', text: 'a1' });
            const q2 = tree.add(talk, a1.id, { role: 'user', text: 'q2' });
            const b1 = tree.add(talk, q1.id, { role: 'assistant', text: 'b1' });
            const shown = () => tree.path(talk).map((message) => message.text).join(' ');
            const steps = [shown()];
            tree.choose(talk, a1);
            steps.push(shown());
            steps.push(tree.siblings(talk, b1).at, tree.before(talk, q2).map((m) => m.text).join(' '));
            steps.push(tree.titleOf(talk), tree.matches(talk, ['B1', 'q2'].map((w) => w.toLowerCase())));
            return steps.join(', ');
            """);
    assertThat(found).isEqualTo("q1 b1, q1 a1 q2, 1, q1 a1, q1, true");
  }

  @Test
  void twoTabsOfOneConversationKeepWhatBothSaid() {
    var found =
        browser.await(
            """
            const tree = await import('/page/tree.js');
            const { Store } = await import('/page/store.js');
            const store = await Store.open();
            const talk = tree.freshConversation();
            const q1 = tree.add(talk, null, { role: 'user', text: 'q1' });
            const failed = tree.add(talk, q1.id, { role: 'assistant', text: '', problem: 'x', finish: 'away' });
            await store.save(talk);
            const other = await store.get(talk.id);
            const theirs = tree.add(other, q1.id, { role: 'assistant', text: 'th', finish: 'writing' });
            await store.save(other);
            tree.drop(talk, failed);
            tree.add(talk, q1.id, { role: 'assistant', text: 'ours', finish: 'stop' });
            await store.save(talk);
            theirs.text = 'theirs';
            theirs.finish = 'stop';
            await store.save(other);
            const kept = await store.get(talk.id);
            await store.remove(talk.id);
            return [kept, talk, other].map(({ messages }) => messages.map((m) => m.text).sort().join(' ')).join(', ')
                + ', ' + tree.path(talk).map((m) => m.text).join(' ');
            """);
    assertThat(found).isEqualTo("ours q1 theirs, ours q1 th, ours q1 theirs, q1 ours");
  }

  @Test
  void aFileOfConversationsIsReadWithMistrust() {
    var found =
        browser.await(
            """
            const { read, written } = await import('/page/files.js');
            const message = (over) => ({ id: 'a', parent: null, role: 'user', text: 't', ...over });
            const file = (...messages) => written([{ title: 'x', options: { temperature: 99, system: 's', evil: 1 }, messages }]);
            const refused = (text) => { try { read(text); return 'taken'; } catch (failure) { return failure.message; } };
            const good = read(file(message(), message({ id: 'b', parent: 'a', role: 'assistant',
                images: ['https://example.org/x.png', 'data:image/png;base64,AAAA'], onclick: 'x', text: 5 })))[0];
            return [
              refused('nonsense'), refused('[]'), refused(file(message({ role: 'system' }))),
              refused(file(message({ parent: 'nobody' }))), refused(file(message(), message())),
              JSON.stringify(good.options), good.messages[1].images.length, good.messages[1].onclick ?? 'none',
              good.messages[1].text === '', good.messages[1].parent === good.messages[0].id, good.messages[0].id !== 'a',
            ].join('|');
            """);
    assertThat(found)
        .isEqualTo(
            "This file is not JSON. Choose one that was exported from here."
                + "|This JSON holds no conversations of Weft. Choose a file that was exported from"
                + " here."
                + "|Conversation 1 of this file has a message that does not belong anywhere."
                    .repeat(3)
                + "|{\"system\":\"s\"}|1|none|true|true|true");
  }

  @Test
  void aGrowingTextKeepsTheElementsOfWhatStays() {
    var found =
        browser.await(
            """
            const { Prose } = await import('/page/prose.js');
            const prose = new Prose();
            prose.show('First.\\n\\nSecond');
            const first = prose.node.firstChild;
            prose.show('First.\\n\\nSecond, longer.\\n\\n```js\\nlet x');
            return [prose.node.firstChild === first, prose.node.children.length, prose.node.textContent.replace(/\\s+/g, ' ').trim()].join('|');
            """);
    assertThat(found).isEqualTo("true|3|First. Second, longer. jsCopylet x");
  }

  /** Piece by piece only the end is read again; the sum is what reading all of it gives. */
  @Test
  void aTextThatGrewIsShownAsTheWholeOne() {
    var found =
        browser.await(
            """
            const { Prose } = await import('/page/prose.js');
            const text = 'Title\\n===\\n\\n- x\\n\\n  y\\n- z\\n\\n    code\\n\\npara\\n    lazy\\n\\n1. a\\n2. b\\n\\nText\\n---\\n'
                + '| a |\\n|--|\\n| b |\\nmore\\n\\n<b>x</b> *a* **b\\nc**\\r\\n\\r\\n    indented\\r\\n\\r\\n[r]: http://example.org\\n\\n'
                + 'see [r] now\\n\\n> q\\nlazy\\n\\n~~~js\\nlet open';
            const shown = (steps) => {
              const prose = new Prose();
              for (let at = steps; at < text.length + steps; at += steps) prose.show(text.slice(0, at));
              return new XMLSerializer().serializeToString(prose.node);
            };
            return [1, 2, 5, 13].filter((steps) => shown(steps) !== shown(text.length)).join(', ');
            """);
    assertThat(found).as("sizes of pieces that end differently").isEqualTo("");
  }
}
