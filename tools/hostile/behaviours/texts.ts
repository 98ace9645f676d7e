import { type Behaviour, texted } from '../behaviour.ts';

/** Texts that do harm if a report prints them without escaping. They replace every text of the answer. */
export const texts: Readonly<Record<string, Behaviour>> = {
  'a script': texted('</script><script>alert(1)</script>'),
  'an image that fails': texted('"><img src=x onerror=alert(1)>'),
  'the end of CDATA': texted(']]>&nbsp;<![CDATA['),
  'entities that nobody declared': texted('&nbsp;&foo;&#0;&#xFFFF;'),
  'the end of a comment': texted('--><b>'),
  'Markdown that leads somewhere': texted('[click](javascript:alert(1)) ![x](http://elsewhere.invalid/p.png) |a|b|'),
  'commands of CI runners': texted('\n::error::owned\n::set-output name=a::b\n##[error]x\n'),
  'a command in backquotes': texted('`id` $(id) ; id | id & \' " \\'),
  'formats of printf': texted('%s%n%d%x%p'),
  templates: texted(['{{constructor}}', '{process}', '<%= 1 %>', '#{1}'].join(' $')),
  'a formula': texted("=cmd|' /C calc'!A0"),
  'line ends and header lines': texted('a\r\nX-Injected: 1\r\n\r\n'),
  'escape sequences of a terminal': texted('\u001b[1A\u001b[2K\u001b]52;c;b3duZWQ=\u0007'),
  'carriage returns that overwrite': texted('FAIL\rPASS\b\b\b\b'),
  'text that runs backwards': texted('\u202e\u2066SSAP\u2069'),
  'halves of surrogates': texted('\ud800x\udc00'),
  'a regular expression that never ends': texted(`${'a'.repeat(20_000)}!`),
  'a verdict in our own words': texted('CONFORMANT (exit status 0)'),
  nothing: texted(''),
  blanks: texted(' \t\u00a0\u2003\u200b'),
};
