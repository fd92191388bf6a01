// What the page says about itself: a banner while something lasts, a toast for what just happened, a voice for screen readers.

import { byId, el } from './dom.js';

const SHOWN_FOR = 8000;

/** Says a sentence for a while, with a button when there is something to do about it: {label, run}. */
export function toast(sentence, action) {
  // Said a hundred times at once, it is one thing.
  if ([...byId('toasts').children].some((shown) => shown.firstChild.textContent === sentence && !action)) return;
  const node = el('div', { class: 'toast' }, el('span', {}, sentence));
  if (action) {
    node.append(el('button', {
      type: 'button',
      class: 'quiet',
      onclick: () => {
        node.remove();
        action.run();
      },
    }, action.label));
  }
  byId('toasts').append(node);
  setTimeout(() => node.remove(), SHOWN_FOR);
}

/** Shows a sentence above the chat until it is taken back with ''. */
export function banner(sentence) {
  byId('banner').textContent = sentence;
  byId('banner').hidden = sentence === '';
}

/** Tells those who listen instead of look. */
export function announce(text) {
  byId('voice').textContent = text;
}
