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
 * minute while `news` gives the same. `clear` removes the line, so that something else can be written, `stop` for good.
 */
export function liveLine(screen: Screen, text: () => string, news: () => unknown = text) {
  const clear = (): void => {
    if (screen.isTTY) {
      screen.write('\r\u001b[K');
    }
  };
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
  return {
    clear,
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}
