import { expect, test } from 'vitest';
import { recordingIn } from '../../../common/recording-file.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

test.for<[tool: string, begin: string, words: RegExp]>([
  ['Charles: .chls', '\xac\xed\0\x05sr', /Charles.*HTTP Archive/],
  ['Charles: .chlsj', '[{"status":"COMPLETE","method":"GET","protocolVersion":"HTTP/1.1",', /Charles.*HTTP Archive/],
  ['Fiddler: .saz', `PK\x03\x04${'\0'.repeat(26)}raw/001_c.txt`, /Fiddler.*HTTPArchive/],
  ['Burp: saved items', '<?xml version="1.0"?>\n<!DOCTYPE items [\n]>\n<items burpVersion="2026.9">', /Logger\+\+/],
  ['mitmproxy: flows', '4127:9:websocket;0:~8:response;', /mitmproxy.*hardump/],
  ['tcpdump: pcap', '\xd4\xc3\xb2\xa1\x02', /packets/],
  ['tcpdump -A', '10:58:23.616123 IP localhost.53412 > localhost.8080: Flags [P.]', /packets/],
  ['Wireshark: pcapng', '\n\r\r\n\xbc', /packets/],
  ['Wireshark: hex dump', '00000000  50 4f 53 54 20 2f', /packets/],
  ['tshark -T json', '[\n  {\n    "_index": "packets-2026-11-30",', /packets/],
  ['ngrep', 'interface: lo (127.0.0.0/255.0.0.0)', /packets/],
  ['Postman: a collection', `{"info": {"schema": "${schema}"`, /newman-reporter-har/],
  ['newman: JSON', '{"collection":{"_":{}', /newman-reporter-har/],
  ['Insomnia', '{"_type":"export","__export_format":4', /Insomnia.*HAR/],
  ["GitHub's recent deliveries", 'Request URL: https://hooks.example.test/\nRequest method: POST\n', /parsed.*ngrok/],
  ['smee.io: events', 'id: 1\nevent: message\ndata: {"body":{}}\n', /parsed.*ngrok/],
  ['webhook.site: CSV', 'uuid,type,ip,method,url\nx,web,1.2.3.4,POST,https://webhook.site/t\n', /CSV/],
  ['a page', '<!DOCTYPE html><html>', /XML or HTML/],
])('a file of another kind is named as what it is, with what its tool gives instead: %s', ([, begin, words]) => {
  const read = () => recordingIn(Buffer.from(begin, 'latin1'), 'Cannot read a');
  expect(read).toThrow(new RegExp(`^Cannot read a: it is .*${words.source}.*$`));
});

test.for(['{"log": {}}', 'POST /a HTTP/1.1\r\n', '< {% a() %}\n', '> POST /a HTTP/1.1\n', '[{"headers": {}}]'])(
  'what can be read is given as it is: %s',
  (text) => expect(recordingIn(Buffer.from(`\ufeff${text}`, 'utf16le'), '').toString()).toBe(text),
);
