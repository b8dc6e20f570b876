import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { Role } from '@jyutsing/contracts/roles';
import { createAdministration } from '#features/accounts/administration.ts';
import { addAlignmentRoute } from './alignment/route.ts';
import { routeFamily } from './elevenlabs/route-family.ts';
import { addElevenLabsSpeakingRoutes } from './elevenlabs/speech-route.ts';
import { addElevenLabsTranscriptionRoute } from './elevenlabs/transcription-route.ts';
import { addAdminRoutes } from './admin/route.ts';
import { createAuthenticator } from './authentication.ts';
import { createConnections } from './client-connection.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import { limitConnections, nodeServer, trustedProxies } from './connection-limits.ts';
import { addCorpusRoutes } from './corpora/route.ts';
import { allowOrigins } from './cross-origin.ts';
import type { ServerDeps } from './deps.ts';
import { replyToBrokenHttp, replyWithError } from './errors.ts';
import { addDeepgramRoutes } from './deepgram/route.ts';
import { createDiskSpace } from './disk-space.ts';
import { createUploadLimits } from './upload-limits.ts';
import { createLiveConnections } from './live/live-connections.ts';
import { acceptWebSockets } from './live/live-route.ts';
import { drainBody } from './drain-body.ts';
import { endConnectionsOnClose } from './end-connections.ts';
import { healthRoutes } from './health/route.ts';
import { documentApi } from './openapi.ts';
import { addAudioListRoutes } from './openai-models/audio-lists.ts';
import { addMcpRoute } from './mcp/route.ts';
import { addMetricsRoute } from './metrics-route.ts';
import { addOpenaiModelRoutes } from './openai-models/route.ts';
import { addOpenaiSpeechRoute } from './openai-speech/route.ts';
import { addOpenaiTranscriptionRoute, addOpenaiTranslationRoute } from './openai-transcriptions/route.ts';
import { addPages } from './pages.ts';
import { addPronunciationRoute } from './pronunciation/route.ts';
import { requestIdFor } from './request-id.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import { createPipeline } from './route.ts';
import { MAX_EVENT_BYTES } from './realtime/client-events.ts';
import { addRealtimeRoutes } from './realtime/route.ts';
import { addRomanizationRoutes } from './romanization/route.ts';
import { addSecurityHeaders, setSecurityHeaders } from './security-headers.ts';
import { addSpeechFileRoute } from './synthesis/file-route.ts';
import { addSpeechStreamRoute } from './synthesis/stream-route.ts';
import { addRecordRoutes } from './transcription/record-routes.ts';
import { addSubmitRoutes } from './transcription/submit-route.ts';
import { answerUnknownRoutes } from './unknown-route.ts';
import { traceRequests } from './trace-requests.ts';
import { addUsageRoute } from './usage/route.ts';
import { addVideoSummaryRoutes } from './video-summary/route.ts';
import { addVoiceRoutes } from './voices/route.ts';
import { addWebhookSecretRoutes } from './webhook-secret/route.ts';
import { addWhisperAsrRoutes } from './whisper-asr/routes.ts';
import { addWyoming } from './wyoming/server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also answers while the service starts or drains. */
    whileStarting?: boolean;
    /** The role of processes that answer; absent: `api`. */
    role?: Role;
  }
}

/** They answer when the transcription of an upload is complete. */
const WAITING_ROUTES = [
  addOpenaiTranscriptionRoute,
  addOpenaiTranslationRoute,
  addAlignmentRoute,
  addElevenLabsTranscriptionRoute,
  addWhisperAsrRoutes,
];

/**
 * The whole HTTP interface. It does not listen yet, and closing it closes none of its dependencies.
 */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { config, logger } = deps;
  const app: FastifyInstance = fastify({
    loggerInstance: withoutChildren(logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdFor,
    requestIdHeader: false,
    trustProxy: trustedProxies(config.trustProxy),
    ...nodeServer(config),
    // The hook below refuses new requests with the body of all errors.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, constraints: { family: routeFamily } },
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      setSecurityHeaders(request, reply);
      replyWithError(error, request, reply);
    },
    clientErrorHandler: replyToBrokenHttp,
  });
  // The pipeline checks input after the key; Fastify would check it before.
  // The pipeline also reads bodies itself, most of them only when their key is known. Fastify would
  // parse JSON before, even for URLs that do not exist.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setSerializerCompiler(config.validateResponses ? serializerCompiler : () => JSON.stringify);
  app.setErrorHandler(replyWithError);
  addSecurityHeaders(app);
  traceRequests(app, deps.tracing);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(reasonToRefuse(request, deps));
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    drainBody(request, reply);
    done();
  });
  const requestMetrics = createRequestMetrics(deps.metrics);
  observeRequests(app, requestMetrics, deps);
  answerUnknownRoutes(app);
  limitConnections(app, config);
  allowOrigins(app, config.corsOrigins);
  acceptWebSockets(app, MAX_EVENT_BYTES);
  endConnectionsOnClose(app);
  documentApi(app, config.version);
  addPages(app, deps);

  const disk = createDiskSpace(config.incomingDir, config.diskReserveBytes);
  app.register(healthRoutes({ ...deps, disk }));
  const concurrency = createConcurrencyLimits(deps.store.sharedUses ?? undefined);
  const authenticator = createAuthenticator(deps);
  const addRoute = createPipeline(app, {
    ...deps,
    authenticator,
    openConnection: createConnections(app),
    concurrency,
  });
  addMetricsRoute(app, addRoute, { ...deps, requestMetrics });
  const administration = createAdministration(deps.store, config.plans);
  const limitUploads = createUploadLimits(config, disk);
  // Shared, so that all recordings without a key are limited together.
  const uploads = limitUploads(config.maxUploadBytes);
  addSubmitRoutes(addRoute, { ...deps, uploads });
  for (const addWaitingRoute of WAITING_ROUTES) addWaitingRoute(addRoute, { ...deps, uploads });
  const liveDeps = { ...deps, authenticator, concurrency, connections: createLiveConnections(app, logger) };
  addRealtimeRoutes(app, addRoute, liveDeps);
  addDeepgramRoutes(app, addRoute, { ...liveDeps, uploads });
  if (config.wyoming !== null) addWyoming(app, config.wyoming, liveDeps);
  addMcpRoute(app, addRoute, deps);
  addPronunciationRoute(addRoute, { ...deps, limitUploads });
  addSpeechStreamRoute(addRoute, deps);
  addSpeechFileRoute(addRoute, deps);
  addOpenaiSpeechRoute(addRoute, deps);
  addElevenLabsSpeakingRoutes(addRoute, deps);
  addVideoSummaryRoutes(addRoute, { ...deps, administration });
  addVoiceRoutes(addRoute, { ...deps, limitUploads });
  addRecordRoutes(addRoute, { ...deps, disk });
  addCorpusRoutes(addRoute, { ...deps, limitUploads });
  addOpenaiModelRoutes(addRoute, deps);
  addAudioListRoutes(addRoute, deps);
  addRomanizationRoutes(addRoute, deps);
  addUsageRoute(addRoute, administration, concurrency);
  addWebhookSecretRoutes(addRoute, deps);
  addAdminRoutes(addRoute, { ...deps, administration, concurrency });
  return app;
}

/** Retryable, so that a load balancer asks another process. */
function reasonToRefuse({ routeOptions }: FastifyRequest, { config, isReady }: ServerDeps): AppError | undefined {
  const { whileStarting = false, role = 'api' } = routeOptions.config;
  if (whileStarting) return undefined;
  if (!isReady()) return new AppError('service_unavailable');
  if (config.roles.includes(role)) return undefined;
  const reason = `This process does not answer such requests; send them to one whose ROLES contain ${role}.`;
  return new AppError('service_unavailable', reason);
}

/**
 * Replaces `child`: Fastify makes a child logger for every request, which costs more than a poll.
 * Log lines name the request id themselves. Its option `childLoggerFactory` is no faster, because
 * Fastify validates each logger that it returns.
 */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  return Object.create(logger, {
    child: {
      value(this: FastifyBaseLogger) {
        return this;
      },
    },
  }) as FastifyBaseLogger;
}

/** Counts and optionally logs each answer by its route; the URL may contain ids. */
function observeRequests(app: FastifyInstance, metrics: RequestMetrics, { config, logger }: ServerDeps): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const { statusCode: status, elapsedTime: elapsedMs } = reply;
    metrics.count({ method, route, status, seconds: elapsedMs / 1_000 });
    if (config.logRequests) {
      logger.info({ requestId: request.id, method, route, status, elapsedMs: Math.round(elapsedMs) }, 'request');
    }
    done();
  });
}
