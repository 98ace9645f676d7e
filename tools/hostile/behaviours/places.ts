import { type Behaviour, headed, saying, under } from '../behaviour.ts';

/** The good JSON with every field called name renamed. */
const named = (text: string): Behaviour =>
  saying(({ body }) => body.replaceAll('"name":', () => `${JSON.stringify(text)}:`));
const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('');

/** Names, codes and header lines that do harm if a report prints them without escaping. */
export const places: Readonly<Record<string, Behaviour>> = {
  'a script as the content type': headed(['Content-Type', '</script><script>alert(1)</script>']),
  'the end of CDATA as the content type': headed(['Content-Type', ']]>&nbsp;<![CDATA[']),
  'an image as the limit': headed(['X-RateLimit-Limit', '"><img src=x onerror=alert(1)>']),
  'a command of a runner as Retry-After': headed(['Retry-After', '::set-env name=PATH::x']),
  'Markdown as Location': headed(['Location', ')[x](javascript:alert(1)) ``` # Passed']),
  'a script as every error code': under(/^code$/, () => '<script>alert(1)</script>'),
  'a command of a runner as every message': under(/^message$/, () => '::stop-commands::x\n::error::owned'),
  'a fence of Markdown as every message': under(/^message$/, () => '```\n# CONFORMANT\n```'),
  'controls as every message': under(/^message$/, () => controls),
  'no characters as every message': under(/^message$/, () => '\ufffe\uffff\ufdd0'),
  'a script as every trace id': under(/^trace_id$/, () => '"><script>alert(1)</script>'),
  'an escape sequence as every timestamp': under(/^timestamp$/, () => '2026-01-01T00:00:00.000Z\u001b[2J'),
  'a script as a name': named('</script><script>alert(1)</script>'),
  'a command of a runner as a name': named('\n::error::owned\n'),
  'controls as a name': named(controls),
  'a JSON pointer as a name': named('/data/~0~1/../id'),
  'a table of Markdown as a name': named('|a|\n|-|\n|<img src=x>|'),
  'the name of every method as a name': named('__defineGetter__'),
};
