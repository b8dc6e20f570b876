/** An app of the platform, with the values by which it identifies itself. */
export type PlatformClient = {
  /** `clientName` of the context: `ANDROID`. */
  name: string;
  /** For the header `X-Youtube-Client-Name`. */
  number: string;
  userAgent: string;
  /** `context.client` of the request body, without the language. */
  context: Readonly<Record<string, string | number>>;
};

type Description = { number: string; userAgent: string; device: Readonly<Record<string, string | number>> };

/**
 * Apps whose caption links work without a proof-of-origin token, or once did. Names, numbers and
 * devices are those of yt-dlp and YouTube.js. They rarely change, whereas versions are retired
 * often and are therefore a setting.
 */
const DESCRIPTIONS: Readonly<Record<string, (version: string) => Description>> = {
  ANDROID: (version) => ({
    number: '3',
    userAgent: `com.google.android.youtube/${version} (Linux; U; Android 14; en_US) gzip`,
    device: { androidSdkVersion: 34, osName: 'Android', osVersion: '14' },
  }),
  ANDROID_VR: (version) => ({
    number: '28',
    userAgent: `com.google.android.apps.youtube.vr.oculus/${version} (Linux; U; Android 12L; eureka-user Build/SQ3A.220605.009.A1) gzip`,
    device: {
      androidSdkVersion: 32,
      deviceMake: 'Oculus',
      deviceModel: 'Quest 3',
      osName: 'Android',
      osVersion: '12L',
    },
  }),
  IOS: (version) => ({
    number: '5',
    userAgent: `com.google.ios.youtube/${version} (iPhone16,2; U; CPU iOS 18_3_2 like Mac OS X;)`,
    device: { deviceMake: 'Apple', deviceModel: 'iPhone16,2', osName: 'iPhone', osVersion: '18.3.2.22D82' },
  }),
  TVHTML5: () => ({
    number: '7',
    userAgent: 'Mozilla/5.0 (ChromiumStylePlatform) Cobalt/Version',
    device: {},
  }),
  MWEB: () => ({
    number: '2',
    userAgent:
      'Mozilla/5.0 (iPad; CPU OS 16_7_10 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    device: {},
  }),
};

/** For strategies other than these apps. */
export const BROWSER_USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';

/** Null for an unknown name. */
export function describeClient(name: string, version: string): PlatformClient | null {
  const describe = DESCRIPTIONS[name];
  if (describe === undefined) return null;
  const { number, userAgent, device } = describe(version);
  return { name, number, userAgent, context: { clientName: name, clientVersion: version, userAgent, ...device } };
}
