import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** The processor time that processes of a run have used, in core-seconds; undefined where the system does not tell. */
export interface CoreSeconds {
  /** The time of all child processes that have ended since the last call, with their own children. */
  ofEnded(): number | undefined;
  /** The time of PostgreSQL so far: of all its processes, also of those that have ended. */
  ofPostgres(pid: number): number | undefined;
  /**
   * The time of the whole machine since this count began. It includes everything else that runs there, but also the
   * processes of a browser, which leave their parents and so escape the other counts.
   */
  ofMachine(): number | undefined;
}

export function countCoreSeconds(): CoreSeconds {
  let before = 0;
  const machineBefore = readMachineTicks();
  return {
    ofEnded() {
      const times = readTimes('self');
      if (!times) return undefined;
      const sinceLast = times.children - before;
      before = times.children;
      return sinceLast / TICKS_PER_SECOND;
    },
    ofPostgres(pid) {
      const all = readdirSafely().flatMap((name) => readTimes(name) ?? []);
      const its = all.filter((times) => times.pid === pid || times.parent === pid);
      if (its.length === 0) return undefined;
      return its.reduce((sum, { own, children }) => sum + own + children, 0) / TICKS_PER_SECOND;
    },
    ofMachine() {
      const now = readMachineTicks();
      if (now === undefined || machineBefore === undefined) return undefined;
      return (now - machineBefore) / TICKS_PER_SECOND;
    },
  };
}

/** Reads the busy time of all processors: user, nice, system and interrupts, without waiting and other machines' time. */
function readMachineTicks(): number | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/\s+/).slice(1).map(Number);
    return user + nice + system + irq + softirq;
  } catch {
    return undefined;
  }
}

interface Times {
  readonly pid: number;
  readonly parent: number;
  readonly own: number;
  /** The seconds of the children that have ended. */
  readonly children: number;
}

/** Reads proc(5); a process may end meanwhile, and other systems have no such files. */
function readTimes(process: string): Times | undefined {
  try {
    const text = readFileSync(`/proc/${process}/stat`, 'utf8');
    // The name before the last parenthesis may contain anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11);
    return { pid: Number.parseInt(text, 10), parent, own: user + system, children: childUser + childSystem };
  } catch {
    return undefined;
  }
}

function readdirSafely(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
