import { messageOf } from './message-of.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'the path exists, but is not a folder',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'its name is too long',
  EISDIR: 'it is a folder, not a file',
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
