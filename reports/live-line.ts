/** A stream on which progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const refreshMs = 1_000;
/** Without a terminal, a line now and then shows that a slow run does not hang. */
const remindMs = 10_000;
/** While there is no news, it is this often: most runs wait for a minute or two. */
const waitingMs = 60_000;

/**
 * Shows what `text` gives: on a terminal in one line that is overwritten, elsewhere in a line every ten seconds, or every
 * minute while `news` gives the same. The function that it gives removes the line.
 */
export function liveLine(screen: Screen, text: () => string, news: () => unknown = text) {
  let last = { news: news(), at: Date.now() };
  const draw = (): void => {
    if (text() === '') {
      return;
    }
    if (screen.isTTY) {
      screen.write(`\r\u001b[K${text().slice(0, (screen.columns ?? 80) - 1)}`);
    } else if (news() !== last.news || Date.now() - last.at >= waitingMs) {
      last = { news: news(), at: Date.now() };
      screen.write(`${text()}\n`);
    }
  };
  const timer = setInterval(draw, screen.isTTY ? refreshMs : remindMs);
  timer.unref();
  return (): void => {
    clearInterval(timer);
    if (screen.isTTY) {
      screen.write('\r\u001b[K');
    }
  };
}
