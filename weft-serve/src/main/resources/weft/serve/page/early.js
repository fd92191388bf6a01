// Runs before the first paint, so that a chosen theme never flashes the other one. All else waits for main.js.
try {
  const theme = JSON.parse(localStorage.getItem('weft.preferences') ?? '{}').theme;
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage, or not ours: the system's theme it is.
}
