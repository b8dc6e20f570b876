import { mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import type { RequestOptions, Transport } from '#client/http/transport.ts';
import type { Model } from '#client/types.ts';

/** The models of the server that can be used now. */
export class Models {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options?: RequestOptions): ApiPromise<Model[]> {
    const sent = this.#transport.json<{ data: Model[] }>({ method: 'GET', path: '/v1/models' }, options);
    return mapPromise(sent, ({ data }) => data);
  }

  get(id: string, options?: RequestOptions): ApiPromise<Model> {
    return this.#transport.json({ method: 'GET', path: `/v1/models/${encodeURIComponent(id)}` }, options);
  }
}
