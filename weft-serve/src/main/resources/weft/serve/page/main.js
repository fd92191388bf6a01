// Puts the page together: what is kept, who is asked, what is shown, and who tells whom.

import { Chat } from './chat.js';
import { Client } from './client.js';
import { Composer } from './composer.js';
import { Connection } from './connection.js';
import { byId, drawIcons } from './dom.js';
import { download, readFile, written } from './files.js';
import { Pictures } from './images.js';
import { Kept } from './kept.js';
import { showLiveSpeed, showMeter } from './meter.js';
import { Models } from './models.js';
import { announce, toast } from './notices.js';
import { Preferences } from './preferences.js';
import { Settings } from './settings.js';
import { listen } from './shortcuts.js';
import { Sidebar } from './sidebar.js';
import { Store } from './store.js';
import { Transcript } from './transcript.js';
import { freshConversation, path, titleOf } from './tree.js';

drawIcons(document);

const narrow = matchMedia('(max-width: 52rem)');
const preferences = new Preferences();
let listing = 0;
const store = await Store.open();
const kept = new Kept(store, list);
const client = new Client(() => preferences.get('key', ''));
const fresh = () => freshConversation(preferences.get('defaults', {}));

const transcript = new Transcript({
  edit: (message, text) => {
    chat.edit(message, text);
    composer.focus();
  },
  retry: (message) => {
    chat.retry(message);
    composer.focus();
  },
  choose: (message, step) => {
    chat.choose(message);
    transcript.view(message.id)?.node.querySelector(`[data-step="${step}"]`)?.focus();
  },
});

const chat = new Chat(client, fresh(), {
  changed: show,
  grown: (message, clock) => {
    transcript.grow(message);
    showLiveSpeed(clock);
  },
  save: (conversation) => kept.save(conversation),
  writing: (writing) => {
    composer.writing(writing);
    if (writing) announce('The reply is being written.');
  },
  ended: (message, problem) => {
    announce(problem ? problem.message : message.text.slice(0, 2000));
    if (problem?.kind === 'away' || problem?.kind === 'broken') connection.check();
    if (problem?.kind === 'key') askForKey();
    // A model that was just loaded can now say how much it takes.
    if (!problem && models.chosen?.context === 0) loadModels();
  },
});

const composer = new Composer({ send, stop: () => chat.stop(), editLast: () => transcript.lastQuestion()?.edit() });
const pictures = new Pictures(() => composer.fit());
const models = new Models(client, preferences, (model) => {
  chat.model = model?.id ?? '';
  pictures.allow(model?.images ?? false);
  showUse();
});
const connection = new Connection(client, loadModels);

const settings = new Settings({
  change: (options) => {
    chat.conversation.options = options;
    if (chat.conversation.messages.length) kept.save(chat.conversation);
  },
  makeDefault: (options) => {
    preferences.set('defaults', options);
    toast('New chats begin with these settings.');
  },
  theme: (theme) => {
    preferences.set('theme', theme);
    showTheme();
  },
  key: takeKey,
}, { theme: preferences.get('theme', 'system'), key: preferences.get('key', '') });

const sidebar = new Sidebar({
  open: openById,
  rename: (id, title) => {
    const conversation = kept.get(id);
    conversation.title = title;
    kept.save(conversation);
    show();
  },
  remove,
  exportOne: (id) => download(`${fileName(titleOf(kept.get(id)))}.json`, written([kept.get(id)])),
});

function send() {
  const text = composer.text.trim();
  const attached = pictures.takeAll();
  if (chat.writing || (!text && !attached.length)) return;
  composer.text = '';
  chat.ask(text, attached);
  transcript.toEnd();
}

function show() {
  transcript.show(chat.conversation);
  byId('title').textContent = titleOf(chat.conversation);
  // A reload comes back to the same conversation.
  history.replaceState(null, '', chat.conversation.messages.length ? `#${chat.conversation.id}` : location.pathname);
  document.title = chat.conversation.messages.length ? `${titleOf(chat.conversation)} · Weft` : 'Weft';
  showUse();
}

function showUse() {
  const last = path(chat.conversation).findLast((message) => message.usage);
  showMeter(last?.usage, models.chosen?.context ?? 0, last?.milliseconds);
}

/** Shows the list with the next frame: an import changes it a hundred times at once. */
function list() {
  cancelAnimationFrame(listing);
  listing = requestAnimationFrame(() => sidebar.show(kept.all, chat.conversation.id));
}

function open(conversation) {
  chat.open(conversation);
  settings.fill(conversation.options);
  transcript.toEnd();
  if (narrow.matches && sidebarShown()) showSidebar(false);
  list();
}

function openById(id) {
  open(kept.get(id));
  composer.focus();
}

function begin() {
  open(fresh());
  composer.focus();
}

async function remove(id) {
  const conversation = kept.get(id);
  if (id === chat.conversation.id) begin();
  await kept.remove(conversation);
  toast(`“${titleOf(conversation)}” is deleted.`, { label: 'Undo', run: () => kept.restore(conversation) });
}

async function importFrom(file) {
  try {
    const conversations = await readFile(file);
    await Promise.all(conversations.map((conversation) => kept.save(conversation)));
    toast(conversations.length === 1 ? 'One conversation came in.' : `${conversations.length} conversations came in.`);
  } catch (failure) {
    toast(failure.message);
  }
}

function fileName(title) {
  return title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase() || 'chat';
}

async function loadModels() {
  try {
    await models.load();
  } catch (problem) {
    if (problem.kind === 'key') askForKey();
    else if (problem.kind === 'away') connection.lost();
    else toast(problem.message);
  }
}

function askForKey() {
  if (byId('ask-key').open) return;
  byId('asked-key').value = '';
  byId('ask-key').returnValue = '';
  byId('ask-key').showModal();
}

function takeKey(key) {
  preferences.set('key', key);
  byId('key').value = key;
  loadModels();
}

function showTheme() {
  const theme = preferences.get('theme', 'system');
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function sidebarShown() {
  return narrow.matches ? document.body.classList.contains('sidebar-open') : !document.body.classList.contains('sidebar-closed');
}

function showSidebar(shown) {
  document.body.classList.toggle(narrow.matches ? 'sidebar-open' : 'sidebar-closed', shown === narrow.matches);
  byId('toggle-sidebar').setAttribute('aria-expanded', String(shown));
  if (!narrow.matches) preferences.set('sidebar', shown);
  // Over the chat it is a place to be; beside it, only something to see.
  if (narrow.matches) (shown ? byId('fresh') : byId('toggle-sidebar')).focus();
}

byId('toggle-sidebar').addEventListener('click', () => showSidebar(!sidebarShown()));
byId('veil').addEventListener('click', () => showSidebar(false));
byId('fresh').addEventListener('click', begin);
byId('fresh-small').addEventListener('click', begin);
byId('open-settings').addEventListener('click', () => settings.open());
byId('schema-on').addEventListener('click', () => settings.open('schema'));
byId('open-shortcuts').addEventListener('click', () => byId('shortcuts').showModal());
byId('export-all').addEventListener('click', () => download('weft-conversations.json', written(kept.all)));
byId('import').addEventListener('click', () => byId('import-file').click());
byId('import-file').addEventListener('change', async ({ target }) => {
  if (target.files[0]) await importFrom(target.files[0]);
  target.value = '';
});
byId('ask-key').addEventListener('close', ({ target }) => {
  if (target.returnValue === 'use') takeKey(byId('asked-key').value.trim());
});
for (const suggestion of document.querySelectorAll('.suggestion')) {
  suggestion.addEventListener('click', () => {
    composer.text = suggestion.textContent;
    send();
    composer.focus();
  });
}
addEventListener('pagehide', () => chat.writing && kept.save(chat.conversation));
store.onOtherTab(async (id) => {
  if (id === chat.conversation.id && chat.writing) return;
  const changed = await kept.refresh(id);
  if (changed && id === chat.conversation.id) chat.open(changed);
});
listen({
  search: () => {
    showSidebar(true);
    byId('search').focus();
  },
  fresh: begin,
  sidebar: () => showSidebar(!sidebarShown()),
  settings: () => settings.open(),
  stop: () => (narrow.matches && sidebarShown() ? showSidebar(false) : chat.stop()),
});

composer.writing(false);
if (narrow.matches) byId('toggle-sidebar').setAttribute('aria-expanded', 'false');
else if (!preferences.get('sidebar', true)) showSidebar(false);
await kept.load();
open(kept.get(location.hash.slice(1)) ?? fresh());
composer.focus();
await loadModels();
document.body.dataset.ready = 'yes';
