import { describe, expect, it } from 'vitest';
import { createAutoscaler } from './autoscaler.ts';

const scaling = { minProcesses: 0, maxProcesses: 50, jobsPerProcess: 3, intervalS: 15, startS: 60, coolDownS: 300 };

describe('an autoscaler', () => {
  it('wants a process for every few jobs, rounded up', () => {
    const countWanted = createAutoscaler(scaling);
    expect(countWanted(0, 7, 2)).toBe(3);
  });

  it('starts one process first, then adds four or doubles', () => {
    const countWanted = createAutoscaler(scaling);
    let processes = 0;
    const counts = [15, 30, 45, 60, 75, 90].map((atS) => (processes = countWanted(atS, 600, processes)));
    expect(counts).toEqual([1, 5, 10, 20, 40, 50]);
  });

  it('removes processes only when fewer were wanted for the whole cool-down', () => {
    const countWanted = createAutoscaler(scaling);
    expect(countWanted(0, 9, 3)).toBe(3);
    expect(countWanted(15, 3, 3)).toBe(3);
    expect(countWanted(299, 0, 3)).toBe(3);
    expect(countWanted(300, 0, 3)).toBe(1);
    expect(countWanted(315, 0, 1)).toBe(0);
  });

  it('keeps the least number without any job', () => {
    expect(createAutoscaler({ ...scaling, minProcesses: 2 })(0, 0, 2)).toBe(2);
  });
});
