/** The variables of this process that k6 gets, by which it finds hosts, certificates and a temporary folder. */
const passed = [
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

/**
 * The whole environment of a k6 process. No K6_* variables are passed on: K6_ITERATIONS or K6_VUS would silently
 * replace the script's scenarios, K6_OUT would write elsewhere. k6 reports no usage and fetches no extensions, and its
 * configuration file is an empty one of ours. Keys are passed here and nowhere else.
 */
export function k6Environment(
  env: Readonly<Record<string, string | undefined>>,
  own: { plan: string; summary: string; config: string; secrets: Readonly<Record<string, string>> },
): Record<string, string> {
  const kept = passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return {
    ...Object.fromEntries(kept),
    ...own.secrets,
    LOAD_PLAN: own.plan,
    LOAD_SUMMARY: own.summary,
    K6_CONFIG: own.config,
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    K6_WEB_DASHBOARD: 'false',
    NO_COLOR: '1',
  };
}
