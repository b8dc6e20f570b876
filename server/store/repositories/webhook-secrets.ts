/** The secrets that sign an account's webhook deliveries. */
export type WebhookSecretRepository = {
  /** The account's secret; stores `fresh` as the secret when there is none yet. */
  findOrCreate(accountId: string, fresh: string): Promise<string>;
  replace(accountId: string, secret: string): Promise<void>;
};
