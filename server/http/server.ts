import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import reference from '@scalar/fastify-api-reference';
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { AppError } from '@jyutsing/contracts/errors';
import { createAdministration } from '#features/accounts/administration.ts';
import { adminRoutes } from './admin/route.ts';
import { createAuthenticator } from './authentication.ts';
import { corporaRoutes } from './corpora/route.ts';
import { replyToBrokenHttp, replyWithError } from './errors.ts';
import { documentApi } from './openapi.ts';
import { openaiModelRoutes } from './openai-models/route.ts';
import { openaiSpeechRoute } from './openai-speech/route.ts';
import { openaiTranscriptionRoutes } from './openai-transcriptions/route.ts';
import { pronunciationRoutes } from './pronunciation/route.ts';
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import { requestIdFor } from './request-id.ts';
import { serverStateRoutes } from './health/route.ts';
import type { HttpServices } from './services.ts';
import { speechFileRoute } from './synthesis/file-route.ts';
import { readJsonBodies } from './json-body.ts';
import { createListeners } from './client-connection.ts';
import { speechStreamRoute } from './synthesis/stream-route.ts';
import { recordRoutes } from './transcription/record-routes.ts';
import { submissionRoutes } from './transcription/route.ts';
import { createSubmissionReceiver } from './transcription/submission.ts';
import { answerUnknownRoutes } from './unknown-route.ts';
import { usageRoutes } from './usage/route.ts';
import { videoSummaryRoutes } from './video-summary/route.ts';
import { voicesRoutes } from './voices/route.ts';
import { webhookSecretRoutes } from './webhook-secret/route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers also while the service starts or drains. */
    whileStarting?: boolean;
  }
}

/**
 * The whole HTTP interface on the given services. It does not listen yet, and closing it closes none of the services.
 * Call `cleanIncoming` before it listens.
 */
export function createServer(services: HttpServices): FastifyInstance {
  const { config, logger } = services;
  const app: FastifyInstance = fastify({
    loggerInstance: withoutChildren(logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdFor,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    // A blocking call is silent for as long as its work takes, so connections have no time limit; uploads have their own.
    requestTimeout: 0,
    // While closing, our own hook refuses what is new with the body that all errors have.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      replyWithError(error, request, reply);
    },
    clientErrorHandler: replyToBrokenHttp,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(config.validateResponses ? serializerCompiler : () => JSON.stringify);
  app.setErrorHandler(replyWithError);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const isRefused = !services.isReady() && request.routeOptions.config.whileStarting !== true;
    done(isRefused ? new AppError('service_unavailable') : undefined);
  });
  const requestMetrics = createRequestMetrics(services.metrics);
  observeRequests(app, requestMetrics, services);
  answerUnknownRoutes(app);
  dropUnusedConnections(app);
  documentApi(app, config.version);
  // The page and its script come from here and ask nobody else: no fonts, proxy or telemetry.
  app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      // Buttons that lead to services of its makers.
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });

  const authenticator = createAuthenticator(services);
  const administration = createAdministration(services.store, config.plans);
  app.register(serverStateRoutes(services, requestMetrics));
  app.register(async (forms) => {
    // For these routes alone, because the plugin adds a listener to every request that it sees.
    forms.register(multipart, { throwFileSizeLimit: false });
    // Other bodies are left unread, so that a request without a key is told about the key first.
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const receive = createSubmissionReceiver(services, authenticator);
    forms.register(submissionRoutes(services, receive));
    forms.register(openaiTranscriptionRoutes(services, receive));
  });
  app.register(async (forms) => {
    // Not even JSON is read, so that whoever sends a recording in it is told to send a form, however long it is.
    forms.removeAllContentTypeParsers();
    forms.register(multipart, { throwFileSizeLimit: false });
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null));
    forms.register(pronunciationRoutes(services, authenticator));
  });
  const openListener = createListeners(app);
  app.register(async (speaking) => {
    readJsonBodies(speaking);
    speaking.register(speechStreamRoute(services, authenticator, openListener));
    speaking.register(speechFileRoute(services, authenticator, openListener));
    speaking.register(openaiSpeechRoute(services, authenticator, openListener));
  });
  app.register(async (summaries) => {
    readJsonBodies(summaries);
    summaries.register(videoSummaryRoutes({ services, administration, authenticator, openListener }));
  });
  app.register(voicesRoutes(services, authenticator));
  app.register(recordRoutes(services, authenticator));
  app.register(corporaRoutes(services, authenticator));
  app.register(openaiModelRoutes(services, authenticator));
  app.register(usageRoutes(administration, authenticator));
  app.register(webhookSecretRoutes(services, authenticator));
  app.register(adminRoutes(administration, authenticator));
  return app;
}

/**
 * Fastify makes a child of the logger for every request, which costs more than what a poll reads; who logs says the request's id.
 * Its option for another factory is no way out: what that returns is examined at every request.
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

/**
 * Clients and proxies open connections in advance. Node takes one that never sent a byte for busy, and closing the server would wait
 * a minute for it.
 */
function dropUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

/** Counts and, when wanted, logs each answer: by route and never by address, which may carry ids. */
function observeRequests(app: FastifyInstance, metrics: RequestMetrics, { config, logger }: HttpServices): void {
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
