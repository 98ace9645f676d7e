import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { TransportFailure } from './transport-failure.ts';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/**
 * Some servers leave out the zlib wrapper (RFC 9110, 8.4.1.2). With it, the low bits of the first byte are 8 (its field
 * CM).
 */
const inflate: Decoder = (bytes, options) =>
  (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, options);

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/**
 * The body without its content codings. `encoding` is the value of Content-Encoding; `maxBody` is how many bytes the
 * body may unpack to. The compression ratio is not limited: a long text of one letter, which this suite itself sends,
 * shrinks to a thousandth. Throws TransportFailure.
 */
export function decompress(bytes: Buffer, encoding: string | null, maxBody: number): Buffer {
  const codings = (encoding ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  return codings.reduceRight((body, coding) => decode(body, coding, maxBody), bytes);
}

function decode(body: Buffer, coding: string, maxBody: number): Buffer {
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  // Fetch, "handle content codings": a body with one that is not known, such as `utf-8`, is left as it is.
  if (decoder === undefined || body.length === 0) {
    return body;
  }
  try {
    return decoder(body, { maxOutputLength: maxBody });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new TransportFailure('too-large', `Body unpacks to more than ${maxBody} bytes`, error);
    }
    throw new TransportFailure('encoding', `Body is not valid ${coding}`, error);
  }
}
