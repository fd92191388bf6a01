// The shown path of a conversation, kept in view while a reply grows, unless the reader has scrolled away.

import { byId } from './dom.js';
import { MessageView } from './message.js';
import { path, siblings } from './tree.js';

/** Closer to the end than this counts as reading along. */
const NEAR = 80;

export class Transcript {
  #views = [];
  #actions;
  #list = byId('messages');
  #frame = byId('transcript');
  #latest = byId('latest');
  #following = true;
  #top = 0;
  #due = new Set();

  constructor(actions) {
    this.#actions = actions;
    this.#frame.addEventListener('scroll', () => this.#noteScroll(), { passive: true });
    this.#latest.addEventListener('click', () => this.toEnd());
    new ResizeObserver(() => this.#follow()).observe(this.#list);
  }

  /** Shows the conversation's path; messages that stay keep their elements. */
  show(conversation) {
    const messages = path(conversation);
    let same = 0;
    while (same < messages.length && this.#views[same]?.message === messages[same]) same++;
    for (const view of this.#views.splice(same)) view.node.remove();
    for (const message of messages.slice(same)) {
      const view = new MessageView(message, this.#actions);
      this.#views.push(view);
      this.#list.append(view.node);
    }
    for (const view of this.#views) view.update(siblings(conversation, view.message));
    byId('welcome').hidden = messages.length > 0;
    this.#list.hidden = messages.length === 0;
  }

  /** Shows a reply's new part with the next frame, however many parts come before it. */
  grow(message) {
    if (!this.#due.size) requestAnimationFrame(() => this.#draw());
    this.#due.add(message.id);
  }

  #draw() {
    for (const view of this.#views) {
      if (this.#due.has(view.message.id) && view.message.finish === 'writing') view.grow();
    }
    this.#due.clear();
  }

  view(id) {
    return this.#views.find((view) => view.message.id === id);
  }

  /** The last question shown, for who wants to edit it by key. */
  lastQuestion() {
    return this.#views.findLast((view) => view.message.role === 'user');
  }

  toEnd() {
    this.#following = true;
    this.#frame.scrollTop = this.#frame.scrollHeight;
    this.#latest.hidden = true;
  }

  #noteScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.#frame;
    const rest = scrollHeight - scrollTop - clientHeight;
    // Any step up is a wish to stay; only coming back to the end is a wish to follow.
    if (scrollTop < this.#top) this.#following &&= rest < 2;
    else if (rest < NEAR) this.#following = true;
    this.#top = scrollTop;
    this.#latest.hidden = rest < clientHeight / 2;
  }

  #follow() {
    if (this.#following) this.#frame.scrollTop = this.#frame.scrollHeight;
  }
}
