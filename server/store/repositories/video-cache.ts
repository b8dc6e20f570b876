/** Cached data of videos. Keys are SHA-256 (hex); values are JSON text of up to some megabytes. */
export type VideoCacheRepository = {
  /** Returns the stored value, or null when there is none or it has expired. */
  find(key: string): Promise<string | null>;
  /** Stores the value until `untilMs`, replacing an earlier one. */
  save(key: string, value: string, untilMs: number): Promise<void>;
  /**
   * Deletes some expired values, oldest first; few enough not to block writers for long. Returns
   * the number deleted; 0 means that none is left.
   */
  deleteExpired(): Promise<number>;
};
