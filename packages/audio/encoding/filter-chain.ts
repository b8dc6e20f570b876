import { AV_LOG_QUIET, AV_SAMPLE_FMT_FLT } from 'node-av/constants';
import { avChannelLayoutDefault, Filter, FilterGraph, Frame, Log, Rational } from 'node-av/lib';
import type { FilterContext } from 'node-av/lib';
import { AppError } from '@jyutsing/contracts/errors';

// Silence the measuring filters, which print their results.
Log.setLevel(AV_LOG_QUIET);

/** A chain of filters of the codec library, from mono audio to mono audio. */
export type FilterChain = {
  /** Returns the samples completed by this input. */
  push(samples: Float32Array): Float32Array<ArrayBuffer>;
  /** Returns the remaining samples. */
  flush(): Float32Array<ArrayBuffer>;
  /** Returns the metadata that the filters attached to the latest output. */
  metadata(): Record<string, string>;
  /** Frees the filters; may be called more than once. Call nothing else afterwards. */
  close(): void;
};

/** Filter name and its options as "name=value:…". */
type FilterStep = readonly [name: string, options?: string];

/**
 * Builds a filter graph. Throws `engine_failed` when a filter is missing or refuses its options.
 * The last filter must output floats; add "aformat" where it does not.
 */
export function createFilterChain(steps: readonly FilterStep[], sampleRateHz: number): FilterChain {
  const graph = new FilterGraph();
  graph.alloc();
  graph.nbThreads = 1;
  const output = new Frame();
  output.alloc();
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    output.free();
    graph.free();
  };
  let ends: { source: FilterContext; sink: FilterContext };
  try {
    ends = linkFilters(graph, steps, sampleRateHz);
  } catch (thrown) {
    close();
    throw thrown;
  }
  const { source, sink } = ends;
  const channelLayout = avChannelLayoutDefault(1);
  const timeBase = new Rational(1, sampleRateHz);
  let sentSamples = 0;
  let metadata: Record<string, string> = {};

  const drain = (): Float32Array<ArrayBuffer> => {
    const pieces: Buffer[] = [];
    for (;;) {
      output.unref();
      if (sink.buffersinkGetFrameSync(output) < 0) break;
      pieces.push(Buffer.from(output.data![0]!.subarray(0, output.nbSamples * Float32Array.BYTES_PER_ELEMENT)));
      // Keep earlier metadata: a short last frame carries none.
      metadata = { ...metadata, ...output.getMetadata().getAll() };
    }
    const bytes = Uint8Array.from(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
    return new Float32Array(bytes.buffer);
  };

  return {
    push(samples) {
      if (samples.length === 0) return new Float32Array(0);
      using frame = Frame.fromAudioBuffer(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), {
        nbSamples: samples.length,
        format: AV_SAMPLE_FMT_FLT,
        sampleRate: sampleRateHz,
        channelLayout,
        timeBase,
        pts: BigInt(sentSamples),
      });
      if (source.buffersrcAddFrameSync(frame) < 0) throw filterFailure('a filter refused sound');
      sentSamples += samples.length;
      return drain();
    },
    flush() {
      if (source.buffersrcAddFrameSync(null) < 0) throw filterFailure('a filter did not end');
      return drain();
    },
    metadata: () => metadata,
    close,
  };
}

function linkFilters(graph: FilterGraph, steps: readonly FilterStep[], sampleRateHz: number) {
  const all: FilterStep[] = [
    ['abuffer', `sample_rate=${sampleRateHz}:sample_fmt=flt:channel_layout=mono:time_base=1/${sampleRateHz}`],
    ...steps,
    ['abuffersink'],
  ];
  const filters = all.map(([name, options], index) => createFilter(graph, name, `f${index}`, options ?? null));
  for (let i = 1; i < filters.length; i += 1) {
    if (filters[i - 1]!.link(0, filters[i]!, 0) < 0) throw filterFailure('filters do not fit together');
  }
  if (graph.configSync() < 0) throw filterFailure('filters do not fit together');
  return { source: filters[0]!, sink: filters.at(-1)! };
}

function createFilter(graph: FilterGraph, name: string, label: string, options: string | null): FilterContext {
  const filter = Filter.getByName(name);
  if (filter === null) throw filterFailure(`no filter ${name}`);
  let context: FilterContext | null;
  try {
    context = graph.createFilter(filter, label, options);
  } catch (thrown) {
    throw filterFailure(thrown);
  }
  if (context === null) throw filterFailure(`no filter ${name}`);
  return context;
}

function filterFailure(cause: unknown): AppError {
  return new AppError('engine_failed', 'The audio could not be processed.', { cause });
}
