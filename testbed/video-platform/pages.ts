/** HTML pages that the platform sends instead of data; shortened recordings. */

/** The consent page of consent.youtube.com. */
export function consentPage(continueTo: string): string {
  return `<!DOCTYPE html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Before you continue to YouTube</title></head>
<body><div><h1>Before you continue to YouTube</h1><p>We use cookies and data to deliver and maintain services.</p>
<form action="https://consent.youtube.com/save" method="POST"><input type="hidden" name="gl" value="DE"><input type="hidden" name="m" value="0">
<input type="hidden" name="continue" value="${escapeHtml(continueTo)}"><input type="hidden" name="bl" value="boq_identityfrontenduiserver_20261110">
<input type="hidden" name="set_eom" value="true"><button aria-label="Reject all">Reject all</button><button aria-label="Accept all">Accept all</button></form></div></body></html>`;
}

/** The page of google.com/sorry, with a captcha or with only the message about unusual traffic. */
export function sorryPage(url: string, isCaptcha: boolean): string {
  const captcha = `<form id="captcha-form" action="index" method="post"><script src="https://www.google.com/recaptcha/enterprise.js" async defer></script>
<div id="recaptcha" class="g-recaptcha" data-sitekey="6LdLLIMbAAAAAIl-KLj9p1ePhM-4LCCDbjtJLqRO" data-s="invented"></div><input type="hidden" name="q" value="EgQ"></form>`;
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"><title>${escapeHtml(url)}</title></head>
<body>${isCaptcha ? captcha : ''}<hr noshade size="1"><b>About this page</b><br><br>Our systems have detected unusual traffic from your computer network.
This page checks to see if it&#39;s really you sending the requests, and not a robot.<br>IP address: 192.0.2.7<br>Time: 2026-11-21T08:00:00Z<br>URL: ${escapeHtml(url)}<br></body></html>`;
}

/** An error page of the front-end servers. */
export function errorPage(status: number, sentence: string): string {
  return `<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Error ${status} (${sentence})!!1</title><p><b>${status}.</b> <ins>That’s an error.</ins><p>${sentence} <ins>That’s all we know.</ins></html>`;
}

/** A page without data. */
export function plainPage(): string {
  return '<!DOCTYPE html><html lang="en"><head><title>YouTube</title></head><body><ytd-app></ytd-app><noscript>Enable JavaScript.</noscript></body></html>';
}

/** A video page with the player response for the WEB client. */
export function watchPage(title: string, playerAnswer: object): string {
  const inScript = JSON.stringify(playerAnswer).replaceAll('<', String.raw`\u003c`);
  return `<!DOCTYPE html><html lang="en" system-icons typography><head><meta charset="utf-8"><title>${escapeHtml(title)} - YouTube</title>
<script nonce="invented">var ytcfg={};window.ytcfg={set:function(o){Object.assign(ytcfg,o)}};ytcfg.set({"INNERTUBE_API_KEY":"AIzaInventedKey","INNERTUBE_API_VERSION":"v1","INNERTUBE_CLIENT_NAME":"WEB","INNERTUBE_CLIENT_VERSION":"2.20261119.01.00"});</script></head>
<body><script nonce="invented">var ytInitialPlayerResponse = ${inScript};var meta = document.createElement('meta');</script><ytd-app></ytd-app></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
