/** The files that carry a request from its route to the engine's ability, in the order in which they run. */
export type RequestChain = { request: string; chain: readonly string[] };

export const CHAINS: readonly RequestChain[] = [];

/** Files that a typical addition creates or edits. `<name>` stands for the name of the new thing. */
export type Change = { addition: string; touched: readonly string[] };

export const CHANGES: readonly Change[] = [];
