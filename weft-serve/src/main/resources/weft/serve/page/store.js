// Conversations in the browser's IndexedDB; where it is refused (some private windows) they live until the page goes.
// Other tabs hear of each change.

import { absorb } from './tree.js';

const DATABASE = 'weft';
const CONVERSATIONS = 'conversations';

export class Store {
  #database;
  #memory = new Map();
  #channel = new BroadcastChannel('weft.conversations');

  /** lasting tells whether what is saved outlives the page. */
  static async open() {
    const store = new Store();
    try {
      store.#database = await opened();
    } catch {
      store.#database = undefined;
    }
    return store;
  }

  get lasting() {
    return this.#database !== undefined;
  }

  /** Calls back with the id of a conversation that another tab saved or removed. */
  onOtherTab(listener) {
    this.#channel.onmessage = ({ data }) => listener(data);
  }

  /** All conversations, the latest first. */
  async all() {
    const found = this.lasting ? await this.#do('readonly', (table) => table.getAll()) : [...this.#memory.values()];
    return found.sort((a, b) => b.updated - a.updated);
  }

  async get(id) {
    return this.lasting ? this.#do('readonly', (table) => table.get(id)) : this.#memory.get(id);
  }

  /**
   * Saves a conversation beside what other tabs have saved of it, which it takes over. Throws the browser's QuotaExceededError
   * when there is no room.
   */
  async save(conversation) {
    if (this.lasting) await this.#merge(conversation);
    else this.#memory.set(conversation.id, structuredClone(conversation));
    this.#channel.postMessage(conversation.id);
  }

  /** In one transaction, so that no other tab saves between. */
  async #merge(conversation) {
    const transaction = this.#database.transaction(CONVERSATIONS, 'readwrite');
    const table = transaction.objectStore(CONVERSATIONS);
    const kept = await settled(table.get(conversation.id));
    if (kept) absorb(conversation, kept);
    await settled(table.put(conversation));
    await finished(transaction);
  }

  async remove(id) {
    if (this.lasting) await this.#do('readwrite', (table) => table.delete(id));
    else this.#memory.delete(id);
    this.#channel.postMessage(id);
  }

  async #do(mode, action) {
    const transaction = this.#database.transaction(CONVERSATIONS, mode);
    const result = await settled(action(transaction.objectStore(CONVERSATIONS)));
    if (mode === 'readwrite') await finished(transaction);
    return result;
  }
}

function opened() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(CONVERSATIONS, { keyPath: 'id' });
  return settled(request);
}

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}
