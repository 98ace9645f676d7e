import { messageOf } from './message-of.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a file stands where a folder must be',
  EEXIST: 'something else stands there, such as a file, or a link that leads nowhere',
  ELOOP: 'links there lead round in circles',
  ENAMETOOLONG: 'its name is too long',
  EISDIR: 'a folder stands where a file must be',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  EFBIG: 'the file would be larger than this process may write',
  ENOSPC: 'the disk is full',
};

/** Why a file could not be read or written, in words; the system's own message for an unusual reason. */
export function fileTrouble(error: unknown): string {
  const { code = '', message = messageOf(error) } = (error ?? {}) as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
