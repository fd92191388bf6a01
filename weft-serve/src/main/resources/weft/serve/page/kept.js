// All conversations that are kept, in memory for the list and for search, in the store for later.

import { toast } from './notices.js';

export class Kept {
  #store;
  #all = new Map();
  #removed = new Set();
  #onChange;

  /** onChange is called whenever the list may have changed. */
  constructor(store, onChange) {
    this.#store = store;
    this.#onChange = onChange;
  }

  async load() {
    for (const conversation of await this.#store.all()) this.#all.set(conversation.id, conversation);
    if (!this.#store.lasting) toast('This browser keeps nothing for this page: conversations last until it is closed.');
  }

  /** The latest first. */
  get all() {
    return [...this.#all.values()].sort((a, b) => b.updated - a.updated);
  }

  get(id) {
    return this.#all.get(id);
  }

  async save(conversation) {
    // A reply that ends after its conversation was deleted does not bring it back.
    if (this.#removed.has(conversation.id)) return;
    this.#all.set(conversation.id, conversation);
    this.#onChange();
    try {
      await this.#store.save(conversation);
    } catch (failure) {
      toast(failure.name === 'QuotaExceededError'
        ? 'The browser has no room left, so this chat is not kept. Export or delete some others.'
        : 'The browser could not keep this chat. Export it before you close the page.');
    }
  }

  async remove(conversation) {
    this.#removed.add(conversation.id);
    this.#all.delete(conversation.id);
    this.#onChange();
    await this.#store.remove(conversation.id);
  }

  async restore(conversation) {
    this.#removed.delete(conversation.id);
    await this.save(conversation);
  }

  /** Another tab changed one: gives it as it is now, or nothing when it is gone. */
  async refresh(id) {
    const conversation = await this.#store.get(id);
    if (conversation) this.#all.set(id, conversation);
    else this.#all.delete(id);
    this.#onChange();
    return conversation;
  }
}
