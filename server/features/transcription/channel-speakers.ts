/** The speaker of segments that were recognized in one channel, from 0. */
export function speakerOfChannel(channel: number): string {
  return `channel-${channel + 1}`;
}

/** Returns the channel, from 0, of a speaker that is a channel; null for other speakers. */
export function channelOfSpeaker(speaker: string): number | null {
  const number = /^channel-(\d+)$/.exec(speaker)?.[1];
  return number === undefined ? null : Number(number) - 1;
}

/** Returns the name under which a channel, from 0, is shown. */
export function nameOfChannel(channel: number): string {
  return `Channel ${channel + 1}`;
}
