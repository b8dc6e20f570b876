import { text } from '#console/core/text.ts';
import type { ScreenProps } from '#console/screens/screens.ts';
import { TranscriptScreen } from '#console/screens/transcript/transcript.tsx';
import { Card, PageHead } from '#console/ui/parts.tsx';
import { RecentList } from './recent-list.tsx';
import { SearchTranscripts } from './search-transcripts.tsx';

const PAGE = 20;

/** All transcripts, or the one that the address names. */
export function Transcripts({ id, seconds }: ScreenProps) {
  const { transcripts } = text();
  if (id !== null) return <TranscriptScreen id={id} seconds={seconds} />;
  return (
    <>
      <PageHead title={transcripts.title} lead={transcripts.lead} />
      <Card>
        <SearchTranscripts>
          <RecentList limit={PAGE} isManaged />
        </SearchTranscripts>
      </Card>
    </>
  );
}
