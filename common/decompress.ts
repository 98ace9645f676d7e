import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Thrown where a body cannot be unpacked: its coding is unknown or broken, or it unpacks to too much. */
export class DecompressionFailure extends Error {
  readonly kind: 'encoding' | 'too-large';
  constructor(kind: DecompressionFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DecompressionFailure';
    this.kind = kind;
  }
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/** Some servers leave out the zlib wrapper (RFC 9110, 8.4.1.2): its first byte, CM 8 in the low bits, tells. */
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
 * The body without its content codings. `encoding` is the value of Content-Encoding, `maxBody` the most bytes that the
 * body may unpack to. Throws DecompressionFailure.
 */
export function decompress(bytes: Buffer, encoding: string | null, maxBody: number): Buffer {
  const codings = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (codings.length > 3) {
    throw new DecompressionFailure('encoding', `Content-Encoding names ${codings.length} codings`);
  }
  return codings.reduceRight((body, coding) => decode(body, coding, maxBody), bytes);
}

function decode(body: Buffer, coding: string, maxBody: number): Buffer {
  const decoder = decoders[coding];
  if (!decoder) {
    throw new DecompressionFailure('encoding', `Content-Encoding is ${coding}, which was not asked for`);
  }
  if (body.length === 0) {
    return body;
  }
  try {
    return decoder(body, { maxOutputLength: maxBody });
  } catch (error) {
    const tooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw new DecompressionFailure(
      tooLarge ? 'too-large' : 'encoding',
      tooLarge ? `Body unpacks to more than ${maxBody} bytes` : `Body is not valid ${coding}`,
      error,
    );
  }
}
