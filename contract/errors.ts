/** The code that the developer API documents for each failure status (Errors). */
export const developerErrorCodes: Readonly<Record<number, string>> = {
  400: 'VALIDATION_FAILED',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
  500: 'INTERNAL',
};

/** Every status that the workspace API documents, successes included (Errors). */
export const workspaceStatuses: readonly number[] = [200, 201, 400, 401, 403, 404, 429, 500];

/** The only error code that the workspace API document shows (Errors). */
export const invalidApiKey = 'invalid_api_key';
