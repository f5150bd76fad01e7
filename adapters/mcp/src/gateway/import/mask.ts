// Hides what looks like a secret in what a person is shown; e2e/gateway/masks.json says how. Knows no client and no file.

const hidden = "***";
const secretWord = /token|key|secret|password|passwd|pwd|auth|credential|bearer|cookie/i;
const knownStart = /^(sk-|pk_|rk_|gh[pousr]_|github_pat_|glpat-|xox[abp]-|npm_|pypi-|AKIA|AIza|eyJ|hf_)/;
const longAndMixed = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/=_-]{24,}$/;
const path = /^(\/|\.\.?\/|~\/)/;
const address = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

const reference = /\$\{[^}]*\}/g;
const bare = /^\s*(bearer|basic|token)?\s*$/i;

/** The arguments of a program. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((arg, place) => {
    const before = args[place - 1];
    const namesSecret = before?.startsWith("-") && !before.includes("=") && secretWord.test(before);
    return namesSecret ? hide(arg) : maskOne(arg);
  });
}

/** An address. */
export function maskAddress(url: string): string {
  const [, start = "", authority = "", folders = "", query = "", rest = ""] =
    /^([^:]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  if (start === "") return maskOne(url);
  const shownPath = folders
    .split("/")
    .map((segment) => (looksSecret(segment) ? hide(segment) : segment))
    .join("/");
  const shownQuery = query === "" ? "" : `?${query.slice(1).split("&").map(maskPair).join("&")}`;
  const shownRest = rest === "" ? "" : `#${hide(rest.slice(1))}`;
  return start + maskUser(authority) + shownPath + shownQuery + shownRest;
}

function maskUser(authority: string): string {
  const place = authority.lastIndexOf("@");
  if (place < 0) return authority;
  const [user = "", password] = authority.slice(0, place).split(/:(.*)/s);
  return `${password === undefined ? hide(user) : `${user}:${hide(password)}`}${authority.slice(place)}`;
}

function maskPair(pair: string): string {
  const place = pair.indexOf("=");
  return place < 0 ? hide(pair) : `${pair.slice(0, place)}=${hide(pair.slice(place + 1))}`;
}

function maskOne(arg: string): string {
  if (address.test(arg)) return maskAddress(arg);
  const [, name, sign, value] = /^(-{0,2}[A-Za-z0-9_.-]+)(=|:\s*)(.*)$/s.exec(arg) ?? [];
  if (name !== undefined && sign !== undefined && value !== undefined) {
    if (secretWord.test(name) && value !== "") return name + sign + hide(value);
    if (sign === "=") return `${name}=${maskOne(value)}`;
  }
  return looksSecret(arg) ? hide(arg) : arg;
}

/** A reference says where a secret is, and not what it is; beside it, a secret could stand. */
function hide(text: string): string {
  return text.includes("${") && bare.test(text.replace(reference, "")) ? text : hidden;
}

function looksSecret(text: string): boolean {
  return knownStart.test(text) || (longAndMixed.test(text) && !path.test(text));
}
