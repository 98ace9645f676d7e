/** Texts that do harm where a report, a console or a CI runner takes them for its own. */
export const hostileTexts: Readonly<Record<string, string>> = {
  'markup of a page': '</script><script>alert(1)</script>"><img src=x onerror=alert(1)></pre></details></body>',
  'markup of JUnit': '</system-out><failure/>]]>&nbsp;&foo;&#0;<![CDATA[ &lt;&amp;&unknown;',
  'a command of a runner': '::error title=x::all is well',
  'commands of runners': '\n::error::owned\n  ::set-output name=a::b\n##[error]x ##vso[task.complete]',
  'a colour and a link of a terminal':
    '\u001b[31mCONFORMANT\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  'escape sequences of a terminal': '\u009b31m\u001b[1A\u001b[2K\u001b]52;c;b3duZWQ=\u0007\b\b\rPASS',
  'a verdict in our own words': '\r\nCONFORMANT (exit status 0): all is well',
  controls: Array.from({ length: 33 }, (_, code) => String.fromCharCode(code === 32 ? 127 : code)).join(''),
  'what no reader sees': 'a\u202egnp.exe \u2066SSAP\u2069 \u2028\u2029\u200b\ufeff \ufffe\uffff\ufdd0',
  'halves of surrogate pairs': 'x\udc00y\ud800',
  'a fence and a heading': '```\n# Conformant\n```',
  'another fence': '~~~',
  'a table and a fold': '| a | b |</details>',
  'links of Markdown': '[x](javascript:alert(1)) ![x](https://evil.example/x.png)',
  'links and names that Markdown finds':
    'see https://evil.example or www.evil.example, @everyone: #1, GH-1, a@evil.example',
  backquotes: '`` ` ``',
  'commands of a shell': '`id` $(id) ; id | id & \' " \\',
  'formats and templates': ['%s%n%d', '{{constructor}}', '{process}', '<%= 1 %>', '#{1}', '&'].join(' $'),
  'header lines': 'a\r\nX-Injected: 1\r\n\r\n',
  'the name of a prototype': '__proto__',
  'a text that expressions backtrack on': `${'a'.repeat(20_000)}!`,
  nothing: '',
  'line ends': '\n\n',
};
