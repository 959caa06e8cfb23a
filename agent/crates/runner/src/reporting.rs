//! Reports of a measuring thread at the end of each tick: its processor time, operations under way, and intervals.

use measure::recorder::TICK_NS;

use crate::lane::Lane;
use crate::session::{Completion, Request};
use crate::target::Target;
use crate::worker::Worker;

impl<T: Target> Worker<'_, T> {
    /// Ends the ticks before `now_ns`. Operations in `ended` count as under way, because they are recorded after this call.
    pub(crate) fn move_on(&mut self, now_ns: u64, ended: &[Completion<T::Command>]) {
        if now_ns < self.next_tick_ns {
            return;
        }
        self.next_tick_ns = (now_ns / TICK_NS + 1) * TICK_NS;
        if self.over {
            return;
        }
        self.report_busy();
        self.report_in_flight(now_ns, ended);
        for kind in self.lanes.iter_mut().flat_map(Lane::recorders) {
            kind.recorder.advance(now_ns, &mut self.cuts);
        }
        self.hand_over();
    }

    pub(crate) fn report_busy(&mut self) {
        if self.session.is_always_busy() {
            return;
        }
        let busy_ns = self.processor.since_last_ns();
        for kind in self.lanes.iter_mut().flat_map(Lane::recorders) {
            kind.recorder.busy(0, busy_ns);
        }
    }

    pub(crate) fn report_in_flight(&mut self, now_ns: u64, ended: &[Completion<T::Command>]) {
        if self.session.is_simulated() {
            // Requests in a simulated session are not really under way: they are ahead of the clock or behind it.
            return;
        }
        // Called once a second, and a lane has only a few kinds.
        let mut oldest_ns: Vec<Vec<u64>> = self.lanes.iter().map(|lane| vec![u64::MAX; lane.kinds.len()]).collect();
        let mut note = |lane: u16, kind: usize, intended_ns: u64| {
            let oldest = &mut oldest_ns[usize::from(lane)][kind];
            *oldest = intended_ns.min(*oldest);
        };
        let lanes = &self.lanes;
        let kind_of = |request: &Request<T::Command>| lanes[usize::from(request.lane)].kind_of(request);
        let mut of_request = |request: &Request<T::Command>| {
            if let Some(kind) = kind_of(request) {
                note(request.lane, kind, request.intended_ns);
            }
        };
        self.session.under_way(&mut of_request);
        for completion in ended {
            of_request(&completion.request);
        }
        for unit in self.units.iter() {
            note(unit.lane, unit.kind, unit.intended_ns);
        }
        for (lane, oldest_ns) in self.lanes.iter_mut().zip(oldest_ns) {
            // Commands inside a unit are not reported, since the number of those that wait for an answer changes all the time.
            for (kind, intended_ns) in lane.kinds.iter_mut().zip(oldest_ns) {
                kind.recorder.under_way(kind.in_flight, now_ns.saturating_sub(intended_ns));
            }
        }
    }

    /// Reports operations under way at the end of the run. Later work of this thread counts in no interval.
    pub(crate) fn report_end(&mut self, now_ns: u64) {
        // In a simulated session, intervals follow the schedule instead of the clock.
        if !self.over && !self.session.is_simulated() {
            self.report_busy();
            self.report_in_flight(now_ns, &[]);
            self.over = true;
        }
    }

    pub(crate) fn hand_over(&mut self) {
        let cuts = std::mem::take(&mut self.cuts);
        if let Some(reporter) = self.reporter {
            reporter.cuts(cuts);
        }
    }
}
