// The conversations that are kept, by day, with search over all that was said in them.

import { byId, el, iconButton } from './dom.js';
import { openMenu } from './menu.js';
import { matches, titleOf, wordsOf } from './tree.js';

const DAY = 86_400_000;

export class Sidebar {
  #actions;
  #conversations = [];
  #current = '';
  #drawn = '';
  #search = byId('search');
  #list = byId('conversations');

  /** actions: open(id), rename(id, title), remove(id), exportOne(id). */
  constructor(actions) {
    this.#actions = actions;
    this.#search.addEventListener('input', () => this.#draw());
    this.#search.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#search.value) {
        event.stopPropagation();
        this.#search.value = '';
        this.#draw();
      } else if (event.key === 'ArrowDown') {
        event.preventDefault();
        this.#list.querySelector('.open')?.focus();
      }
    });
    this.#list.addEventListener('keydown', (event) => this.#move(event));
  }

  show(conversations, current) {
    this.#conversations = conversations;
    this.#current = current;
    // While a reply is saved as it grows nothing here changes, and who points at an item keeps it.
    const seen = JSON.stringify([current, conversations.map((conversation) => [conversation.id, titleOf(conversation)])]);
    if (seen !== this.#drawn && !this.#list.querySelector('.rename')) this.#draw();
    this.#drawn = seen;
  }

  #draw() {
    const words = wordsOf(this.#search.value);
    const found = this.#conversations.filter((conversation) => matches(conversation, words));
    const days = Map.groupBy(found, (conversation) => dayOf(conversation.updated));
    this.#list.replaceChildren(...[...days].map(([day, those]) => el('section', {},
        el('h3', {}, day), el('ul', {}, those.map((conversation) => this.#item(conversation))))));
    if (!found.length) {
      this.#list.append(el('p', { class: 'empty' },
          words.length ? 'Nothing kept here says that.' : 'What you ask is kept in this browser, and only here.'));
    }
    byId('found').textContent = words.length ? `${found.length} found` : '';
  }

  #item(conversation) {
    const title = titleOf(conversation);
    const current = conversation.id === this.#current;
    const more = iconButton('more', `More for ${title}`, () => openMenu(more, [
      { icon: 'edit', label: 'Rename', run: () => this.#rename(item, conversation) },
      { icon: 'export', label: 'Export', run: () => this.#actions.exportOne(conversation.id) },
      { icon: 'remove', label: 'Delete', danger: true, run: () => this.#actions.remove(conversation.id) },
    ]), { 'aria-haspopup': 'menu', 'aria-expanded': 'false' });
    const open = el('button', {
      type: 'button',
      class: 'open',
      title,
      'aria-current': current ? 'true' : undefined,
      onclick: () => this.#actions.open(conversation.id),
      ondblclick: () => this.#rename(item, conversation),
    }, title);
    const item = el('li', { class: current ? 'current' : '', 'data-id': conversation.id }, open, more);
    return item;
  }

  #rename(item, conversation) {
    const before = titleOf(conversation);
    const field = el('input', { class: 'rename', value: before, 'aria-label': 'New name', maxLength: 200 });
    let over = false;
    const end = (keep) => {
      if (over) return;
      over = true;
      const title = field.value.trim();
      if (keep && title && title !== before) this.#actions.rename(conversation.id, title);
      this.#draw();
      this.#list.querySelector(`[data-id="${conversation.id}"] .open`)?.focus();
    };
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') end(true);
      if (event.key === 'Escape') {
        event.stopPropagation();
        end(false);
      }
    });
    field.addEventListener('blur', () => end(true));
    item.replaceChildren(field);
    field.focus();
    field.select();
  }

  /** Arrows go through the list as through a list. */
  #move(event) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const all = [...this.#list.querySelectorAll('.open')];
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    const to = at + (event.key === 'ArrowDown' ? 1 : -1);
    (to < 0 ? this.#search : all[Math.min(to, all.length - 1)]).focus();
  }
}

function dayOf(time) {
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (time >= midnight) return 'Today';
  if (time >= midnight - DAY) return 'Yesterday';
  if (time >= midnight - 7 * DAY) return 'Last seven days';
  return new Date(time).toLocaleDateString('en', { month: 'long', year: 'numeric' });
}
