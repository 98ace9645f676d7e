// The two parts of undici that a run needs: its index loads fetch, WebSockets, caches and mocks too.
declare module 'undici/lib/dispatcher/agent.js' {
  // biome-ignore lint/style/noDefaultExport: undici's files have no other
  export { Agent as default } from 'undici';
}
declare module 'undici/lib/core/connect.js' {
  // biome-ignore lint/style/noDefaultExport: undici's files have no other
  export { buildConnector as default } from 'undici';
}
