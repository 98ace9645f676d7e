/** What was once judged wrongly together on the developer API. */
export const metOnDeveloper: readonly string[] = [
  // Another client of the account called while a key was driven, which only the day's Remaining showed.
  `developer-limiter=sliding-log developer-shown-window=day developer-retry-after=date
   developer-budget=account-in-use`,
];
