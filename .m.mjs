import {readFileSync} from "node:fs";
const f=process.argv.slice(2);
for (const x of f) await import(x.startsWith(".")?process.cwd()+"/"+x:x);
globalThis.gc?.(); const s=readFileSync("/proc/self/status","utf8"); const u=process.memoryUsage();
console.log(f.join(" "), 'HWM',/VmHWM:\s+(\d+)/.exec(s)[1]/1024|0,'RSS', /VmRSS:\s+(\d+)/.exec(s)[1]/1024|0, 'heapUsed', u.heapUsed/1e6|0, 'total', u.heapTotal/1e6|0, 'ext', u.external/1e6|0); process.exit()
