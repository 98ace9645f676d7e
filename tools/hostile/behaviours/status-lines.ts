import { type Behaviour, begun, raw, status } from '../behaviour.ts';

/** Status lines that no specification allows, and unexpected statuses. */
export const statusLines: Readonly<Record<string, Behaviour>> = {
  'HTTP/1.0': begun('HTTP/1.0 200 OK'),
  'HTTP/2.0 in plain text': begun('HTTP/2.0 200 OK'),
  'HTTP/9.9': begun('HTTP/9.9 200 OK'),
  'HTTP in lower case': begun('http/1.1 200 OK'),
  'ICY 200 OK': begun('ICY 200 OK'),
  'no reason and no blank': begun('HTTP/1.1 200'),
  'two blanks before the status': begun('HTTP/1.1  200 OK'),
  'a tab before the status': begun('HTTP/1.1\t200 OK'),
  'a status of one digit': begun('HTTP/1.1 2 OK'),
  'a status of four digits': begun('HTTP/1.1 2000 OK'),
  'status 000': begun('HTTP/1.1 000 Zero'),
  'status 099': begun('HTTP/1.1 099 Low'),
  'a negative status': begun('HTTP/1.1 -200 OK'),
  'a status in words': begun('HTTP/1.1 OK OK'),
  'a NUL in the reason': begun('HTTP/1.1 200 O\0K'),
  'a reason of escape sequences': begun('HTTP/1.1 200 \u001b[2J\u001b[31mOK'),
  'a reason of 16 KiB': begun(`HTTP/1.1 200 ${'r'.repeat(16_384)}`),
  'a blank line first': (socket, good, asked) => {
    socket.write('\r\n\r\n');
    begun('HTTP/1.1 200 OK')(socket, good, asked);
  },
  'a byte order mark first': (socket, good, asked) => {
    socket.write(Buffer.from([0xef, 0xbb, 0xbf]));
    begun('HTTP/1.1 200 OK')(socket, good, asked);
  },
  'line ends without CR': raw(Buffer.from('HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 2\n\n{}')),
  'a TLS alert': raw(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])),
  'an HTTP/2 preface': raw(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])),
  'an SSH banner': raw('SSH-2.0-OpenSSH_9.6\n'),
  'a request instead of an answer': raw('GET / HTTP/1.1\nHost: you\n\n'),
  'status 102': raw('HTTP/1.1 102 Processing\n\n'),
  'status 199': raw('HTTP/1.1 199 Odd\n\n'),
  'status 205 with a body': status(205),
  'status 206 of a part': status(206, ['Content-Range', 'bytes 0-1/999999999999']),
  'status 226': status(226),
  'status 300 with choices': status(300),
  'status 303 to a file': status(303, ['Location', 'file:///etc/passwd']),
  'status 307 to the metadata of a cloud': status(307, ['Location', 'http://169.254.169.254/latest/meta-data/']),
  'status 308 to a script': status(308, ['Location', 'javascript:alert(1)']),
  'status 401 with a challenge of 8 KiB': status(401, ['WWW-Authenticate', `Basic realm="${'x'.repeat(8_192)}"`]),
  'status 407': status(407, ['Proxy-Authenticate', 'Basic']),
  'status 418': status(418),
  'status 421': status(421),
  'status 425': status(425),
  'status 451': status(451),
  'status 511': status(511, ['Location', 'http://login.example/']),
  'status 599': status(599),
};
