import type { Jyutsing, UploadSource } from '@jyutsing/client';

/** How the tools reach the service and the recordings of a client. */
export type McpSurroundings = {
  /** Sends the requests of the tools, with the key of the client. */
  client: Jyutsing;
  /** The version of this project. */
  version: string;
  /** How a recording is given in the argument `file`, for the model that reads it. */
  fileMeaning: string;
  /** Opens the recording of an argument `file`. Throws InvalidRequestError. */
  openFile(file: string): UploadSource;
  /**
   * Writes the sound of the tool `speak` to a path of the client; absent where it has no disk that
   * can be reached. Throws InvalidRequestError.
   */
  saveFile?(path: string, bytes: Uint8Array): Promise<void>;
};
