import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Line } from '../seam/plan.ts';

interface Follower {
  /** Reads to the end and stops. Returns all other text in the file, cut to 2,000 characters. */
  close(): string;
}

/** The line of a trace in a text; null for anything else, such as a message of k6 or a line that was cut off. */
export function parseLine(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 't' in value ? (value as Line) : null;
  } catch {
    return null;
  }
}

const everyMs = 250;

/** Follows a file that another process writes, and calls `onLine` with each line of the trace. */
export function followLines(path: string, onLine: (line: Line) => void): Follower {
  const descriptor = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(1 << 20);
  let position = 0;
  let rest = '';
  let stray = '';
  const take = (text: string): void => {
    if (text === '') {
      return;
    }
    const line = parseLine(text);
    if (line === null) {
      stray = `${stray + text.slice(0, 500)}\n`.slice(0, 2000);
    } else {
      onLine(line);
    }
  };
  const read = (): void => {
    for (
      let size = readSync(descriptor, buffer, 0, buffer.length, position);
      size > 0;
      size = readSync(descriptor, buffer, 0, buffer.length, position)
    ) {
      position += size;
      const parts = (rest + decoder.write(buffer.subarray(0, size))).split('\n');
      rest = parts.pop() ?? '';
      parts.forEach(take);
    }
  };
  const timer = setInterval(read, everyMs);
  return {
    close() {
      clearInterval(timer);
      read();
      take(rest);
      closeSync(descriptor);
      return stray;
    },
  };
}
